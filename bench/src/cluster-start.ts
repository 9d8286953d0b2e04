import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startCluster } from "@kubewright/cluster";
import { findBinary, startControlPlane } from "@kubewright/testing/control-plane";
import { buildCommand } from "./cluster-target.js";
import { type Figure, measure } from "./measure.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/**
 * Time to the first response: the embedded cluster in this process, as a new process, and a real kube-apiserver with etcd, in one run. Skips
 * the latter, with a message, if it is not installed.
 */
export async function measureClusterStart(): Promise<Figure[]> {
  const figures = [
    await measure("embedded, in process, first response", 30, async () => {
      const cluster = await startCluster();
      await cluster.transport.send({ method: "GET", path: "/api/v1/namespaces/default" });
      return () => cluster.close();
    }),
    await measure("embedded, in process, listening on HTTPS", 20, async () => {
      const cluster = await startCluster();
      await cluster.listen();
      return () => cluster.close();
    }),
  ];
  buildCommand();
  const folder = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
  try {
    figures.push(
      await measure("embedded, as a new process, kubeconfig written", 10, () =>
        startCommand(join(folder, "kubeconfig")),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (findBinary("kube-apiserver") === undefined) {
    console.error("Skipping the real control plane: kube-apiserver is not installed (npm run real:install)");
    return figures;
  }
  figures.push(
    await measure("real kube-apiserver and etcd, ready", 3, async () => {
      const plane = await startControlPlane();
      return () => plane.stop();
    }),
  );
  return figures;
}

/** Starts the built command; resolves when it is ready. */
async function startCommand(kubeconfig: string): Promise<() => Promise<void>> {
  const command = join(root, "packages", "cli", "dist", "main.js");
  const child = spawn(
    process.execPath,
    [command, "cluster", "start", "--no-workloads", "-o", "json", "--kubeconfig", kubeconfig],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, KUBEWRIGHT_STATE_DIR: join(kubeconfig, "..", "state") },
    },
  );
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", () => resolve());
    child.once("exit", (code) => reject(new Error(`The command exited with ${code}`)));
  });
  return async () => {
    child.kill("SIGTERM");
    await exited;
  };
}
