import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { startCluster } from "@kubewright/cluster";
import { findBinary } from "@kubewright/testing/control-plane";
import type { LoadTask } from "./cluster-load.js";
import { buildCommand, type ClusterTarget, startEmbedded, startReal } from "./cluster-target.js";
import type { Comparison } from "./comparison.js";
import { measure } from "./measure.js";

const megabyte = 1_048_576;
const events = 1_500;
const held = 50_000;
const settleMs = 15_000;

/** The measurements of one server. */
interface Measured {
  readonly startMs: number;
  readonly emptyBytes: number;
  readonly fullBytes: number;
  readonly creates: number;
  readonly updates: number;
  readonly gets: number;
  readonly listMs: number;
  readonly fanOut: number;
}

/**
 * Compares the embedded cluster with a real kube-apiserver and etcd, in one run and with the same load: start, memory, requests, lists, events.
 * Skips the real side if it is not installed. etcd runs without fsync, as in tests.
 */
export async function measureCluster(): Promise<Comparison[]> {
  buildCommand();
  const folder = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
  try {
    const inProcess = await measure("", 20, async () => {
      const cluster = await startCluster();
      await cluster.transport.send({ method: "GET", path: "/api/v1/namespaces/default" });
      return () => cluster.close();
    });
    const embedded = await measureTarget(() => startEmbedded(folder), true);
    const durable = await measureDurable(folder);
    const hasReal = findBinary("kube-apiserver") !== undefined;
    if (!hasReal)
      console.error("Skipping the real control plane: kube-apiserver is not installed (npm run real:install)");
    const real = hasReal ? await measureTarget(startReal, false) : undefined;
    const line = (name: string, unit: "ms" | "MiB" | "per s", pick: (one: Measured) => number, goal: number) => ({
      name,
      unit,
      ours: pick(embedded),
      theirs: real && pick(real),
      moreIsBetter: unit === "per s",
      goal,
    });
    return [
      line("start to ready, as a new process", "ms", (one) => one.startMs, 6),
      { ...line("start to first response, in process", "ms", (one) => one.startMs, 20), ours: inProcess.medianMs },
      line("memory, empty", "MiB", (one) => one.emptyBytes / megabyte, 3),
      line(`memory, ${held} custom resources`, "MiB", (one) => one.fullBytes / megabyte, 5),
      line("creates, concurrency 16", "per s", (one) => one.creates, 1),
      line("updates, concurrency 16", "per s", (one) => one.updates, 1),
      line("gets, concurrency 16", "per s", (one) => one.gets, 1),
      line("list of 5,000 objects", "ms", (one) => one.listMs, 1),
      line("events to 100 watchers", "per s", (one) => one.fanOut, 1),
      {
        ...line("creates with a data folder (theirs: no fsync)", "per s", (one) => one.creates, 1),
        ours: durable,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureTarget(start: () => Promise<ClusterTarget>, holdsTwice: boolean): Promise<Measured> {
  const starts: number[] = [];
  for (let run = 0; run < 2; run++) {
    const startedMs = performance.now();
    const once = await start();
    starts.push(performance.now() - startedMs);
    await once.stop();
  }
  const startedMs = performance.now();
  const target = await start();
  starts.push(performance.now() - startedMs);
  try {
    // Wait for garbage collection.
    await delay(settleMs);
    const emptyBytes = target.residentBytes();
    const verbs = await load(target, { kind: "verbs", count: 3_000 });
    const fanOut = await measureFanOut(target);
    await load(target, { kind: "fill", count: held, from: 1_000_000 });
    await delay(settleMs);
    const fullBytes = target.residentBytes();
    if (holdsTwice) {
      await load(target, { kind: "fill", count: held, from: 2_000_000 });
      console.error(`More than ${2 * held} objects held, in ${Math.round(target.residentBytes() / megabyte)} MiB`);
    }
    const { creates = 0, updates = 0, gets = 0, listMs = 0 } = verbs;
    return { startMs: Math.min(...starts), emptyBytes, fullBytes, creates, updates, gets, listMs, fanOut };
  } finally {
    await target.stop();
  }
}

async function measureDurable(folder: string): Promise<number> {
  const target = await startEmbedded(folder, join(folder, "data"));
  try {
    return (await load(target, { kind: "verbs", count: 2_000 }))["creates"] ?? 0;
  } finally {
    await target.stop();
  }
}

/** Watch events per second that 100 watchers receive during creates. */
async function measureFanOut(target: ClusterTarget): Promise<number> {
  const watching = startLoad(target, { kind: "watchers", count: events });
  await watching.ready;
  const { startedAtMs = 0 } = await load(target, { kind: "fill", count: events, from: 0 });
  const { endedAtMs = 0 } = await watching.figures;
  return (events * 100) / ((endedAtMs - startedAtMs) / 1_000);
}

type Work = Pick<LoadTask, "kind" | "count" | "from">;

function load(target: ClusterTarget, work: Work): Promise<Record<string, number>> {
  return startLoad(target, work).figures;
}

function startLoad(
  target: ClusterTarget,
  work: Work,
): { ready: Promise<void>; figures: Promise<Record<string, number>> } {
  const task: LoadTask = {
    url: target.url,
    ca: target.caCertificate,
    token: target.token,
    certificate: target.certificate,
    ...work,
  };
  const script = join(import.meta.dirname, "cluster-load.ts");
  const child = spawn(process.execPath, ["--conditions=kubewright-source", "--import=tsx", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(task));
  let isReady: () => void = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const figures = new Promise<Record<string, number>>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line === "ready") isReady();
      else resolve(JSON.parse(line));
    });
    child.once("exit", (code) => reject(new Error(`The load process exited with ${code}`)));
  });
  return { ready, figures };
}
