import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { systemClock } from "@kubewright/core/clock";
import { findBinary, startControlPlane } from "@kubewright/testing/control-plane";
import { build } from "esbuild";
import { createClient } from "kubewright";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import type { Comparison } from "./comparison.js";
import { deployments, rateOf, replicas } from "./web-deployments.js";

const root = join(import.meta.dirname, "..", "..");

/**
 * Compares the workload controllers of the embedded cluster with kube-controller-manager and kube-scheduler, without client-side rate limits and with the
 * same simulated nodes, in one run. Skips the real side, with a message, if it is not installed. Times in virtual time are compared with a goal.
 */
export async function measureWorkloads(): Promise<Comparison[]> {
  const built = spawnSync(process.execPath, [...process.execArgv, join(root, "tools", "build", "main.ts")], {
    cwd: root,
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(`Cannot measure: the build failed: ${built.stdout}${built.stderr}`);
  const task = await buildTask();
  const theirs = await theirRate(task);
  const limit = (name: string, unit: string, ours: number, goal: number): Comparison => ({
    name: `${name} (compared with the goal)`,
    unit,
    ours,
    theirs: goal,
    moreIsBetter: false,
    goal: 1,
  });
  return [
    {
      name: `Deployments of ${replicas} replicas, created to available`,
      unit: "1/s",
      ours: measure(task, "rate"),
      theirs,
      moreIsBetter: true,
      goal: 1,
    },
    limit(`${deployments} of them in virtual time`, "s", measure(task, "virtual"), 10),
    limit("Rollout of 1,000 pods in virtual time", "s", measure(task, "rollout"), 2),
    limit("Replacement of 1,000 pods in virtual time", "s", measure(task, "replacement"), 2),
    limit("Idle cluster", "% of a core", measure(task, "idle"), 1),
  ];
}

/** Bundles the benchmarks with built packages; what packages do not export comes from their sources. */
async function buildTask(): Promise<string> {
  const outfile = join(import.meta.dirname, "..", "dist", "workloads-task.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "workloads-task.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    logLevel: "error",
  });
  return outfile;
}

function measure(task: string, name: string): number {
  const { status, stdout } = spawnSync(process.execPath, [task, name], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`Cannot measure "${name}": the process exited with ${status}`);
  console.error(`${name}: ${stdout.trim()}`);
  return Number(stdout);
}

async function theirRate(task: string): Promise<number | undefined> {
  const missing = (["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const).filter(
    (name) => findBinary(name) === undefined,
  );
  if (missing.length > 0) {
    console.error(`Skipping the real control plane: not installed: ${missing.join(", ")} (npm run real:install)`);
    return undefined;
  }
  const limits = ["--kube-api-qps=5000", "--kube-api-burst=10000"];
  const plane = await startControlPlane({
    controllerManager: true,
    scheduler: true,
    flags: {
      "kube-controller-manager": [...limits, "--concurrent-deployment-syncs=20", "--concurrent-replicaset-syncs=20"],
      "kube-scheduler": limits,
    },
  });
  const kubeconfig = plane.kubeconfigFile(plane.admin);
  const kubelets = spawn(process.execPath, [task, "kubelets", kubeconfig], { stdio: ["ignore", "ignore", "inherit"] });
  const transport = new HttpsTransport(await loadConnection({ kubeconfig }), { clock: systemClock });
  try {
    return await rateOf(createClient(transport));
  } finally {
    kubelets.kill();
    await transport.close();
    await plane.stop();
  }
}
