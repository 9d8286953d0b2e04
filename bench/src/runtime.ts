import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findBinary, startControlPlane } from "@kubewright/testing/control-plane";
import { type ConnectedClient, connect, crdOf } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { ConfigMap } from "kubewright/k8s/core/v1";
import type { Comparison } from "./comparison.js";
import { controllerRuntimePeer, kubewrightPeer, type Line, type Peer, RunningPeer } from "./runtime-peer.js";
import { median, quantile } from "./spread.js";
import { Widget, widgetNamed } from "./widget.js";

const root = join(import.meta.dirname, "..", "..");
const synced = 50_000;
/** Enough for the JIT to warm up, as in a long-running operator. */
const latencies = 1_500;
/** Rounds of each measurement; the peers take turns to be first, because the first one is slower. */
const rounds = 5;

/**
 * Compares an operator on Kubewright with the same operator on controller-runtime, each in a separate process on the same real server, in five
 * alternating rounds; `only` selects a row: queues, launch, latency, throughput or sync. Skipped, with a message, without kube-apiserver or Go.
 */
export async function measureRuntime(only?: string): Promise<Comparison[]> {
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
    const throughput = (workers: number, objects: number, goal: number) => ({
      row: "throughput",
      measure: () => measureThroughput(client, peers, on, { workers, objects, goal }),
    });
    const steps = [
      { row: "queues", measure: () => measureQueues(theirs) },
      { row: "launch", measure: () => measureLaunch(client, peers, on, unbundled) },
      { row: "latency", measure: () => measureLatency(client, peers, on) },
      throughput(1, 1_000, 1),
      throughput(10, 3_000, 1.3),
      throughput(50, 3_000, 1.3),
      { row: "sync", measure: () => measureSync(client, peers, on) },
    ].filter(({ row }) => only === undefined || row === only);
    if (steps.length === 0) throw new Error(`Cannot measure "${only}": there is no such row`);
    const comparisons: Comparison[] = [];
    for (const { measure } of steps) {
      const measured = await measure();
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

/** The values of each round, by peer. */
class Rounds {
  readonly #values = new Map<Peer, number[]>();

  add(peer: Peer, value: number): void {
    this.#values.set(peer, [...(this.#values.get(peer) ?? []), value]);
  }

  compare(name: string, unit: string, goal: number, [ours, theirs]: Peers): Comparison {
    const all = { ours: this.#values.get(ours) ?? [], theirs: this.#values.get(theirs) ?? [] };
    const moreIsBetter = unit === "1/s";
    return { name, unit, ours: median(all.ours), theirs: median(all.theirs), moreIsBetter, goal, rounds: all };
  }
}

/** Calls `measure` for each peer in each round, in alternating order. */
async function inTurns(peers: readonly Peer[], measure: (peer: Peer) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const peer of round % 2 === 0 ? peers : peers.toReversed()) await measure(peer);
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
  const compared = (name: string, theirNs = Number.NaN): Comparison => {
    const { priorityNs = Number.NaN } = ours;
    return { name, unit: "ns", ours: priorityNs, theirs: theirNs, moreIsBetter: false, goal: 1 };
  };
  return [
    compared("Queue, compared with its priority queue (the default)", go.priorityNs),
    compared("Queue, compared with its classic queue", go.classicNs),
  ];
}

async function measureLaunch(
  client: ConnectedClient,
  [ours, theirs]: Peers,
  on: Start,
  unbundled: Peer,
): Promise<Comparison[]> {
  await client.create(Widget, widgetNamed("only"));
  const launchMs = new Rounds();
  const idleMb = new Rounds();
  await inTurns([ours, theirs, unbundled], async (peer) => {
    const running = on(peer);
    const { atMs } = await running.event("first");
    launchMs.add(peer, atMs - running.launchedMs);
    // Idle: memory of the start is released.
    await pause(10_000);
    idleMb.add(peer, running.memory().residentMb);
    await running.stop();
  });
  await client.delete(Widget, "only");
  return [
    launchMs.compare("Launch to the first reconcile, bundled", "ms", 1 / 1.5, [ours, theirs]),
    launchMs.compare("Launch to the first reconcile, from packages", "ms", 1 / 1.5, [unbundled, theirs]),
    idleMb.compare("Memory when idle", "MB", 1 / 2, [ours, theirs]),
  ];
}

async function measureLatency(client: ConnectedClient, peers: Peers, on: Start): Promise<Comparison[]> {
  const p50 = new Rounds();
  const p99 = new Rounds();
  await inTurns(peers, async (peer) => {
    await client.create(Widget, widgetNamed("warm-up"));
    const running = on(peer, "--report");
    await running.event("first");
    const latencyMs: number[] = [];
    for (let count = 0; count < latencies; count++) {
      const name = `${peer.name}-${count}`;
      const writtenMs = performance.timeOrigin + performance.now();
      await client.create(Widget, widgetNamed(name));
      const { atMs } = await running.line((line) => line.name === name);
      latencyMs.push(atMs - writtenMs);
    }
    p50.add(peer, quantile(latencyMs, 0.5));
    p99.add(peer, quantile(latencyMs, 0.99));
    await running.stop();
    await emptied(client);
  });
  return [
    p50.compare("Create to reconcile, p50", "ms", 1, peers),
    p99.compare("Create to reconcile, p99", "ms", 1, peers),
  ];
}

async function measureThroughput(
  client: ConnectedClient,
  peers: Peers,
  on: Start,
  { workers, objects, goal }: { readonly workers: number; readonly objects: number; readonly goal: number },
): Promise<Comparison[]> {
  const rate = new Rounds();
  const cpu = new Rounds();
  const requests = new Rounds();
  const conflicts = new Rounds();
  await inTurns(peers, async (peer) => {
    await filled(client, objects);
    const before = await requestCount(client);
    const running = on(peer, "--children", "--workers", `${workers}`, "--objects", `${objects}`);
    const first = await running.event("first");
    const cpuBefore = running.cpuMs();
    const finished = await running.event("finished");
    cpu.add(peer, (running.cpuMs() - cpuBefore) / objects);
    requests.add(peer, ((await requestCount(client)) - before) / objects);
    rate.add(peer, (objects * 1_000) / (finished.atMs - first.atMs));
    conflicts.add(peer, finished.conflicts ?? Number.NaN);
    if ((finished.errors ?? 0) > 0) console.error(`${peer.name}, ${workers} workers: ${finished.errors} errors`);
    await running.stop();
    await emptied(client);
  });
  return [
    rate.compare(`${objects} objects with child and status, workers: ${workers}`, "1/s", goal, peers),
    cpu.compare("  CPU time per object", "ms", 1, peers),
    requests.compare("  requests per object", "", 1, peers),
    conflicts.compare("  conflicts", "errors", Number.POSITIVE_INFINITY, peers),
  ];
}

/** How many requests for Widgets and ConfigMaps the server has received, without watches. */
async function requestCount(client: ConnectedClient): Promise<number> {
  const { body } = await client.request({ method: "GET", path: "/metrics" });
  let count = 0;
  for (const line of String(body).split("\n")) {
    if (!/^apiserver_request_total\{.*resource="(widgets|configmaps)"/.test(line) || line.includes('verb="WATCH"'))
      continue;
    count += Number(line.slice(line.lastIndexOf(" ") + 1));
  }
  return count;
}

async function measureSync(client: ConnectedClient, peers: Peers, on: Start): Promise<Comparison[]> {
  await filled(client, synced);
  const syncMs = new Rounds();
  const settledMb = new Rounds();
  const peakMb = new Rounds();
  await inTurns(peers, async (peer) => {
    const running = on(peer);
    const starting = await running.event("starting");
    const first = await running.event("first");
    syncMs.add(peer, first.atMs - starting.atMs);
    // Everything is reconciled once, and then the process is idle.
    await pause(15_000);
    const memory = running.memory();
    settledMb.add(peer, memory.residentMb);
    peakMb.add(peer, memory.peakMb);
    await running.stop();
  });
  return [
    syncMs.compare(`Sync of ${synced} objects`, "ms", 1 / 0.6, peers),
    settledMb.compare("  memory afterwards", "MB", 1 / 1.3, peers),
    peakMb.compare("  memory, peak", "MB", 1 / 2, peers),
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
