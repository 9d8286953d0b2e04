import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { AnyKind } from "kubewright";
import { ConfigMap, Secret } from "kubewright/k8s/core/v1";
import { type Change, everything, ListQuery } from "../../packages/kubewright/src/cache/index.js";
import { type TrackedKind, TrackedReads } from "../../packages/kubewright/src/route/index.js";
import type { Comparison } from "./comparison.js";

const objects = 50_000;
const perObject = 3;
const events = 200_000;

/**
 * The cost of tracked reads: 50,000 objects that read 3 objects each, one of them shared by a hundred. Memory for each dependency, the recording of a
 * run, and the lookup that each watch event of a tracked kind adds, in nanoseconds.
 */
export function measureReads(): Comparison[] {
  const tracked: TrackedKind[] = [Secret, ConfigMap].map((kind) => ({ kind: kind as AnyKind, selection: everything }));
  const untouchedNs = eventNs(new TrackedReads(tracked, undefined), tracked, (index) => change(`token-${index}`));

  const reads = new TrackedReads(tracked, undefined);
  const before = heapBytes();
  const startedMs = cpuMs();
  runAll(reads);
  const firstMs = cpuMs() - startedMs;
  const bytes = heapBytes() - before;
  const repeatedAtMs = cpuMs();
  runAll(reads);
  const againMs = cpuMs() - repeatedAtMs;

  const lists = new TrackedReads(tracked, undefined);
  const beforeLists = heapBytes();
  for (let index = 0; index < objects; index++) {
    const options = { labels: { site: `site-${index}` } };
    lists.recordList(
      `default/site-${index}`,
      Secret as AnyKind,
      new ListQuery(options, { namespace: "default", selection: everything }),
    );
    lists.settle(`default/site-${index}`, true);
  }
  const listBytes = heapBytes() - beforeLists;
  return [
    line("Memory of a dependency on an object", "bytes", bytes / (objects * perObject)),
    line("Memory of a dependency on a list by label", "bytes", listBytes / objects),
    line(`First run of an object with ${perObject} reads`, "ns", (firstMs * 1e6) / objects),
    line("  the same reads again", "ns", (againMs * 1e6) / objects),
    line("Event of a kind of which nothing was read", "ns", untouchedNs),
    line(
      "Event of an object that no run has read",
      "ns",
      eventNs(reads, tracked, (index) => change(`other-${index}`)),
    ),
    line(
      "Event of an object that one run has read",
      "ns",
      eventNs(reads, tracked, (index) => change(`token-${index}`)),
    ),
    line("Event of an object in one of 50,000 lists by label", "ns", eventNs(lists, tracked, labelled)),
    line(
      "Event of an object in none of them",
      "ns",
      eventNs(lists, tracked, (index) => change(`other-${index}`)),
    ),
  ];
}

function runAll(reads: TrackedReads): void {
  for (let index = 0; index < objects; index++) {
    const request = `default/site-${index}`;
    reads.recordObject(request, Secret as AnyKind, { namespace: "default", name: `token-${index}` });
    reads.recordObject(request, ConfigMap as AnyKind, { namespace: "default", name: `settings-${index}` });
    reads.recordObject(request, ConfigMap as AnyKind, { namespace: "default", name: `shared-${index % 500}` });
    reads.settle(request, true);
  }
}

function eventNs(
  reads: TrackedReads,
  [tracked]: readonly TrackedKind[],
  make: (index: number) => Change<AnyKind>,
): number {
  if (tracked === undefined) throw new Error("Cannot measure: no kind is tracked");
  const changes = Array.from({ length: 10_000 }, (_, index) => make(index));
  const emission = { now: () => {}, echo: () => {} };
  let bestNs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const startedMs = cpuMs();
    for (let count = 0; count < events; count += changes.length)
      for (const one of changes) reads.route(tracked, one, emission);
    bestNs = Math.min(bestNs, ((cpuMs() - startedMs) * 1e6) / events);
  }
  return bestNs;
}

function change(name: string, labels: Readonly<Record<string, string>> = {}): Change<AnyKind> {
  const state = (resourceVersion: string) => ({ metadata: { namespace: "default", name, labels, resourceVersion } });
  return { kind: "updated", old: state("1"), new: state("2"), listed: false } as unknown as Change<AnyKind>;
}

function labelled(index: number): Change<AnyKind> {
  return change(`token-${index}`, { site: `site-${index}`, tier: "web" });
}

function line(name: string, unit: string, ours: number): Comparison {
  return { name, unit, ours, theirs: undefined, moreIsBetter: false, goal: Number.POSITIVE_INFINITY };
}

/** CPU time: the machine may do other work. */
function cpuMs(): number {
  return process.cpuUsage().user / 1_000;
}

function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 3; round++) collect();
  return process.memoryUsage().heapUsed;
}
