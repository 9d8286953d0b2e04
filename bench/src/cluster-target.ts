import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { parse } from "yaml";

/** A server under test, in separate processes. */
export interface ClusterTarget {
  readonly url: string;
  readonly caCertificate: string;
  /** The bearer token of an administrator. */
  readonly token: string | undefined;
  /** A client certificate and its key, if there is no token. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Resident memory of its processes. */
  residentBytes(): number;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, "..", "..");

/** Builds the command as it is published: bundled, which is how users start it. */
export function buildCommand(): void {
  const build = spawnSync(process.execPath, [...process.execArgv, join(root, "tools", "build", "main.ts")], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (build.status !== 0) throw new Error(`Cannot measure the command: "npm run build" exited with ${build.status}`);
}

/** Starts the built command, in memory or with a data folder; resolves when it is ready. */
export async function startEmbedded(folder: string, dataDir?: string): Promise<ClusterTarget> {
  const main = join(root, "packages", "cli", "dist", "main.js");
  // Only the API server, as on the real side.
  const args = ["cluster", "start", "--no-workloads", "-o", "json", "--kubeconfig", join(folder, "kubeconfig")];
  const child = spawn(process.execPath, [main, ...args, ...(dataDir === undefined ? [] : ["--data-dir", dataDir])], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, KUBEWRIGHT_STATE_DIR: join(folder, "state") },
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`The command exited with ${code}`)));
  });
  const { url, kubeconfig, pid } = JSON.parse(line) as { url: string; kubeconfig: string; pid: number };
  const { clusters, users } = parse(readFileSync(kubeconfig, "utf8"));
  const text = (base64: string): string => Buffer.from(base64, "base64").toString("utf8");
  return {
    url,
    caCertificate: text(clusters[0].cluster["certificate-authority-data"]),
    token: undefined,
    certificate: {
      cert: text(users[0].user["client-certificate-data"]),
      key: text(users[0].user["client-key-data"]),
    },
    residentBytes: () => residentOf(pid),
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Starts a real kube-apiserver with its etcd. */
export async function startReal(): Promise<ClusterTarget> {
  const plane = await startControlPlane();
  return {
    url: plane.url,
    caCertificate: plane.caCertificate,
    token: plane.admin.token,
    residentBytes: () =>
      processesWith(plane.dir)
        .map(residentOf)
        .reduce((sum, bytes) => sum + bytes, 0),
    stop: () => plane.stop(),
  };
}

/** The processes whose command line names a folder, without the guarding shells. */
function processesWith(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return line.includes(folder) && !line.startsWith("/bin/sh");
      } catch {
        return false;
      }
    });
}

function residentOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1_024;
}
