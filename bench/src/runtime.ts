import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findBinary, startControlPlane } from "@kubewright/testing/control-plane";
import { type ConnectedClient, connect, crdOf } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { ConfigMap } from "kubewright/k8s/core/v1";
import type { Comparison } from "./comparison.js";
import { controllerRuntimePeer, kubewrightPeer, type Line, type Peer, RunningPeer } from "./runtime-peer.js";
import { Widget, widgetNamed } from "./widget.js";

const root = join(import.meta.dirname, "..", "..");
const synced = 50_000;
const reconciled = 3_000;
/** Enough for the JIT to warm up, as in a long-running operator. */
const latencies = 1_500;
const launches = 5;

/**
 * Compares an operator on Kubewright with the same operator on controller-runtime, each in a separate process on the same real server, in one run.
 * Skipped, with a message, without kube-apiserver or Go.
 */
export async function measureRuntime(): Promise<Comparison[]> {
  const theirs = findBinary("kube-apiserver") === undefined ? undefined : controllerRuntimePeer();
  if (theirs === undefined) {
    console.error("Skipping the runtime benchmark: it needs kube-apiserver (npm run real:install) and Go");
    return [];
  }
  const built = spawnSync(process.execPath, [...process.execArgv, join(root, "tools", "build", "main.ts")], {
    cwd: root,
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(`Cannot measure: the build failed: ${built.stdout}${built.stderr}`);
  const peers = [await kubewrightPeer("bundled"), theirs] as const;
  const unbundled = await kubewrightPeer("packages");
  const plane = await startControlPlane();
  try {
    const kubeconfig = plane.kubeconfigFile(plane.admin);
    const client = await connect({ kubeconfig });
    await client.create(CustomResourceDefinition, crdOf(Widget) as never);
    await established(client);
    const on = (peer: Peer, ...flags: string[]) => new RunningPeer(peer, ["--kubeconfig-file", kubeconfig, ...flags]);
    const steps = [
      () => measureQueues(theirs),
      () => measureLaunch(client, peers, on, unbundled),
      () => measureLatency(client, peers, on),
      ...[1, 10, 50].map((workers) => () => measureThroughput(client, peers, on, workers)),
      () => measureSync(client, peers, on),
    ];
    const comparisons: Comparison[] = [];
    for (const step of steps) {
      const measured = await step();
      for (const { name, unit, ours, theirs } of measured)
        console.error(`${name}: ${ours.toFixed(1)} ${unit}, controller-runtime ${theirs?.toFixed(1)} ${unit}`);
      comparisons.push(...measured);
    }
    await client.close();
    return comparisons;
  } finally {
    await plane.stop();
  }
}

type Peers = readonly [Peer, Peer];
type Start = (peer: Peer, ...flags: string[]) => RunningPeer;

function compare(name: string, unit: string, goal: number, [ours, theirs]: readonly [number, number]): Comparison {
  const moreIsBetter = unit === "1/s";
  return { name, unit, ours, theirs, moreIsBetter, goal };
}

function measureQueues(theirs: Peer): Comparison[] {
  const [program = ""] = theirs.command;
  const line = (command: string, args: readonly string[]): Line => {
    const { stdout, stderr, status } = spawnSync(command, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`Cannot measure queues: ${stderr}`);
    return JSON.parse(stdout) as Line;
  };
  const go = line(program, ["-queue"]);
  const ours = line(process.execPath, [...process.execArgv, join(import.meta.dirname, "queue-task.ts")]);
  const { priorityNs = Number.NaN } = ours;
  return [
    compare("Queue, compared with its priority queue (the default)", "ns", 1, [
      priorityNs,
      go.priorityNs ?? Number.NaN,
    ]),
    compare("Queue, compared with its classic queue", "ns", 1, [priorityNs, go.classicNs ?? Number.NaN]),
  ];
}

async function measureLaunch(
  client: ConnectedClient,
  [ours, theirs]: Peers,
  on: Start,
  unbundled: Peer,
): Promise<Comparison[]> {
  await client.create(Widget, widgetNamed("only"));
  const measured = new Map(
    [ours, theirs, unbundled].map((peer) => [peer, { launchMs: [] as number[], idleMb: [] as number[] }]),
  );
  for (let round = 0; round < launches; round++) {
    for (const [peer, { launchMs, idleMb }] of measured) {
      const running = on(peer);
      const { atMs } = await running.event("first");
      launchMs.push(atMs - running.launchedMs);
      // Idle: memory of the start is released.
      await pause(10_000);
      idleMb.push(running.memory().residentMb);
      await running.stop();
    }
  }
  await client.delete(Widget, "only");
  const launch = (peer: Peer): number => median(measured.get(peer)?.launchMs ?? []);
  const idle = (peer: Peer): number => median(measured.get(peer)?.idleMb ?? []);
  return [
    compare("Launch to the first reconcile, bundled", "ms", 1 / 1.5, [launch(ours), launch(theirs)]),
    compare("Launch to the first reconcile, from packages", "ms", 1 / 1.5, [launch(unbundled), launch(theirs)]),
    compare("Memory when idle", "MB", 1 / 2, [idle(ours), idle(theirs)]),
  ];
}

async function measureLatency(client: ConnectedClient, peers: Peers, on: Start): Promise<Comparison[]> {
  const latencyMs: [number[], number[]] = [[], []];
  await client.create(Widget, widgetNamed("warm-up"));
  for (const index of [0, 1] as const) {
    const running = on(peers[index], "--report");
    await running.event("first");
    for (let count = 0; count < latencies; count++) {
      const name = `${peers[index].name}-${count}`;
      const writtenMs = performance.timeOrigin + performance.now();
      await client.create(Widget, widgetNamed(name));
      const { atMs } = await running.line((line) => line.name === name);
      latencyMs[index].push(atMs - writtenMs);
    }
    await running.stop();
  }
  await emptied(client);
  const share = (of: number, index: 0 | 1): number => quantile(latencyMs[index], of);
  return [
    compare("Create to reconcile, p50", "ms", 1, [share(0.5, 0), share(0.5, 1)]),
    compare("Create to reconcile, p99", "ms", 1, [share(0.99, 0), share(0.99, 1)]),
  ];
}

async function measureThroughput(
  client: ConnectedClient,
  peers: Peers,
  on: Start,
  workers: number,
): Promise<Comparison[]> {
  const rates: number[] = [];
  const conflicts: number[] = [];
  for (const peer of peers) {
    await filled(client, reconciled);
    const running = on(peer, "--children", "--workers", `${workers}`, "--objects", `${reconciled}`);
    const first = await running.event("first");
    const finished = await running.event("finished");
    rates.push((reconciled * 1_000) / (finished.atMs - first.atMs));
    conflicts.push(finished.conflicts ?? Number.NaN);
    if ((finished.errors ?? 0) > 0) console.error(`${peer.name}, ${workers} workers: ${finished.errors} errors`);
    await running.stop();
    await emptied(client);
  }
  const title = `${reconciled} objects with child and status, ${workers} workers`;
  return [
    compare(title, "1/s", 1.3, [rates[0] ?? Number.NaN, rates[1] ?? Number.NaN]),
    compare("  conflicts", "errors", Number.POSITIVE_INFINITY, [
      conflicts[0] ?? Number.NaN,
      conflicts[1] ?? Number.NaN,
    ]),
  ];
}

async function measureSync(client: ConnectedClient, peers: Peers, on: Start): Promise<Comparison[]> {
  await filled(client, synced);
  const syncMs: [number[], number[]] = [[], []];
  const settledMb: [number[], number[]] = [[], []];
  const peakMb: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round++) {
    for (const index of [0, 1] as const) {
      const running = on(peers[index]);
      const starting = await running.event("starting");
      const first = await running.event("first");
      syncMs[index].push(first.atMs - starting.atMs);
      // Everything is reconciled once, and then the process is idle.
      await pause(15_000);
      const { residentMb, peakMb: peak } = running.memory();
      settledMb[index].push(residentMb);
      peakMb[index].push(peak);
      await running.stop();
    }
  }
  const both = (of: [number[], number[]]): [number, number] => [median(of[0]), median(of[1])];
  return [
    compare(`Sync of ${synced} objects`, "ms", 1 / 0.6, both(syncMs)),
    compare("  memory afterwards", "MB", 1 / 1.3, both(settledMb)),
    compare("  memory, peak", "MB", 1 / 2, both(peakMb)),
  ];
}

async function filled(client: ConnectedClient, count: number): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await client.create(Widget, widgetNamed(`widget-${next++}`));
  };
  await Promise.all(Array.from({ length: 32 }, lane));
}

async function emptied(client: ConnectedClient): Promise<void> {
  await client.deleteAll(Widget);
  await client.deleteAll(ConfigMap);
}

async function established(client: ConnectedClient): Promise<void> {
  for (;;) {
    try {
      await client.listPage(Widget);
      return;
    } catch {
      await pause(200);
    }
  }
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
