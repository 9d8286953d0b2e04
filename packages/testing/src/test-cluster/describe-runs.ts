import { formatRun, type RecordedRun } from "kubewright";

const maxObjects = 5;
const maxRuns = 3;
const maxLength = 10_000;

/**
 * The last runs of the objects that a test touched, as lines: of at most five objects, those whose last run failed first, then those that ran last. Of each
 * at most three runs; at most 10,000 characters. "" without a run.
 */
export function describeRuns(runs: readonly RecordedRun[]): string {
  const objects = new Map<string, RecordedRun[]>();
  for (const run of runs) {
    const id = `${run.controller} ${run.key}`;
    const known = objects.get(id);
    if (known === undefined) objects.set(id, [run]);
    else known.push(run);
  }
  if (objects.size === 0) return "";
  const ordered = [...objects.values()].toSorted((a, b) => Number(hasFailed(b)) - Number(hasFailed(a)) || later(a, b));
  const rest = ordered.length - maxObjects;
  const lines = [
    "The last runs of the objects of this test (times are virtual):",
    ...ordered.slice(0, maxObjects).flatMap(describeObject),
    ...(rest > 0 ? [`and ${rest} more objects: see cluster.runs(Kind, name)`] : []),
  ].join("\n");
  return lines.length <= maxLength ? lines : `${lines.slice(0, maxLength)}\n... cut`;
}

function describeObject(runs: readonly RecordedRun[]): string[] {
  const [{ controller, kind, key } = { controller: "", kind: "", key: "" }] = runs;
  const earlier = runs.length - maxRuns;
  return [
    `controller "${controller}", ${kind.slice(kind.lastIndexOf("/") + 1)} ${key}`.trimEnd(),
    ...(earlier > 0 ? [`  ${earlier} earlier runs`] : []),
    ...runs.slice(-maxRuns).map((run) => formatRun(run).replaceAll(/^/gm, "  ")),
  ];
}

function hasFailed(runs: readonly RecordedRun[]): boolean {
  const kind = runs.at(-1)?.outcome.kind;
  return kind === "retry" || kind === "terminal";
}

function later(a: readonly RecordedRun[], b: readonly RecordedRun[]): number {
  const [one, other] = [a.at(-1)?.startedAt ?? "", b.at(-1)?.startedAt ?? ""];
  return one < other ? 1 : one > other ? -1 : 0;
}
