import { parseDuration } from "@kubewright/core/meta";
import { isSimulated } from "./node-object.js";
import { type ReadPodStage, stageOf } from "./pod-stage.js";
import type { ReadNode, ReadPod } from "./read-objects.js";

/** Of lines that come again and again so many are kept at most. */
const keptLines = 10_000;

/** A line, and when it was written. */
interface WrittenLine {
  readonly atMs: number;
  readonly text: string;
}

/** A run of a container. */
interface Run {
  readonly container: string;
  readonly startedMs: number;
  readonly endedMs: number | undefined;
}

/** What a log is told by. */
export interface LogFacts {
  readonly pod: ReadPod;
  /** Its node. */
  readonly node: ReadNode | undefined;
  readonly stages: readonly ReadPodStage[];
}

/**
 * What a container wrote in a run up to a moment, by the stage that its pod is in, and when it goes on: a function of time, as all that a simulated pod
 * does. Undefined for a pod on a node that is not simulated.
 */
export function podLog(
  { pod, node, stages }: LogFacts,
  { container, startedMs, endedMs }: Run,
  untilMs: number,
): { readonly lines: readonly WrittenLine[]; readonly nextMs: number | undefined } | undefined {
  if (!isSimulated(node)) return undefined;
  const lines: WrittenLine[] = [];
  let nextMs: number | undefined;
  const lastMs = Math.min(untilMs, endedMs ?? untilMs);
  for (const { container: only = container, lines: texts = [], after, every } of stageOf(pod, stages)?.spec?.logs ??
    []) {
    if (only !== container || texts.length === 0) continue;
    const firstMs = startedMs + parseDuration(after ?? "0s");
    const periodMs = every === undefined ? Number.POSITIVE_INFINITY : Math.max(1, parseDuration(every));
    const last =
      firstMs > lastMs ? -1 : periodMs === Number.POSITIVE_INFINITY ? 0 : Math.floor((lastMs - firstMs) / periodMs);
    const timeOf = (round: number): number => (round === 0 ? firstMs : firstMs + round * periodMs);
    for (let round = Math.max(0, last - Math.floor(keptLines / texts.length)); round <= last; round++)
      for (const text of texts) lines.push({ atMs: timeOf(round), text });
    const comesMs = timeOf(last + 1);
    if (endedMs === undefined && comesMs < (nextMs ?? Number.POSITIVE_INFINITY)) nextMs = comesMs;
  }
  lines.sort((a, b) => a.atMs - b.atMs);
  return { lines: lines.slice(-keptLines), nextMs };
}
