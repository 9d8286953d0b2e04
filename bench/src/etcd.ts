import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startCluster } from "@kubewright/cluster";
import { EtcdCluster } from "@kubewright-operators/etcd";
import { createClient } from "kubewright";
import type { Comparison } from "./comparison.js";

const clusters = 50;
const size = 3;
const idleSeconds = 60;
const root = join(import.meta.dirname, "..", "..");

/**
 * Fifty etcd clusters of three members under one operator, on simulated nodes: the time until all are complete, the memory of the operator then, and its CPU
 * while nothing happens. The operator is a process of its own, with simulated members in it. etcd accepts a member only when the others have been connected
 * for five seconds, so a cluster takes at least twelve seconds, whatever the operator does.
 */
export async function measureEtcd(): Promise<Comparison[]> {
  const build = spawnSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-b"], {
    cwd: root,
  });
  if (build.status !== 0) throw new Error(`Cannot measure the operator: tsc -b exited with ${build.status}`);
  await using cluster = await startCluster({ workloads: { nodes: 5 } });
  const folder = mkdtempSync(join(tmpdir(), "kubewright-etcd-"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, (await cluster.listen()).kubeconfig, { mode: 0o600 });
  const operator = spawn(
    process.execPath,
    [
      "operators/etcd/dist/main.js",
      "--simulate-members",
      "--listen-addr=127.0.0.1:0",
      `--kubeconfig=${kubeconfig}`,
      "--log-level=error",
    ],
    { cwd: root, stdio: ["ignore", "inherit", "inherit"] },
  );
  const ended = new Promise<void>((resolve) => operator.once("exit", () => resolve()));
  const until = (holds: () => Promise<boolean>) => untilOrExit(operator, holds);
  try {
    const client = createClient(cluster.transport);
    await until(() =>
      client.listPage(EtcdCluster).then(
        () => true,
        () => false,
      ),
    );
    const startedMs = performance.now();
    for (let at = 0; at < clusters; at++)
      await client.create(EtcdCluster, { metadata: { name: `etcd-${at}` }, spec: { size, version: "3.5.35" } });
    await until(async () => {
      const { items } = await client.listPage(EtcdCluster);
      return items.every(({ status }) => status?.members?.ready?.length === size);
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    const before = cpuSecondsOf(operator);
    await sleep(idleSeconds * 1_000);
    const share = ((cpuSecondsOf(operator) - before) / idleSeconds) * 100;
    const less = { moreIsBetter: false, goal: 1 } as const;
    return [
      { name: `${clusters} clusters of ${size} members are complete`, unit: "s", ours: seconds, theirs: 60, ...less },
      { name: "memory of the operator", unit: "MiB", ours: residentMiB(operator), theirs: 256, ...less },
      { name: "CPU of the idle operator", unit: "% of a core", ours: share, theirs: 1, ...less },
    ];
  } finally {
    operator.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true });
  }
}

async function untilOrExit(operator: ChildProcess, holds: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 180_000;
  while (!(await holds())) {
    if (operator.exitCode !== null) throw new Error(`The operator exited with ${operator.exitCode}`);
    if (performance.now() > endMs) throw new Error("The operator did not complete the clusters within 3 minutes");
    await sleep(200);
  }
}

function residentMiB({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

/** User and system time; Linux counts them in hundredths of a second. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
