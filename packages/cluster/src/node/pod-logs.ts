import { parseDuration } from "@kubewright/core/meta";
import { isSimulated } from "./node-object.js";
import { type ReadPodStage, stageOf } from "./pod-stage.js";
import type { ReadNode, ReadPod } from "./read-objects.js";

/** The maximum of lines kept per container. */
const maxLines = 10_000;

/** A log line with its time. */
interface LogLine {
  readonly atMs: number;
  readonly text: string;
}

/** A run of a container, from its start to its termination. */
interface Run {
  readonly container: string;
  readonly startedMs: number;
  readonly endedMs: number | undefined;
}

/** The objects that determine a log. */
export interface PodLogInput {
  readonly pod: ReadPod;
  /** The Pod's node. */
  readonly node: ReadNode | undefined;
  readonly stages: readonly ReadPodStage[];
}

/**
 * The log of a container run up to `untilMs`, by the Pod's PodStage, and the time of the next line. It is a function of time, like all simulated
 * behaviour. Undefined for a Pod on a node that is not simulated.
 */
export function podLog(
  { pod, node, stages }: PodLogInput,
  { container, startedMs, endedMs }: Run,
  untilMs: number,
): { readonly lines: readonly LogLine[]; readonly nextMs: number | undefined } | undefined {
  if (!isSimulated(node)) return undefined;
  const lines: LogLine[] = [];
  let nextMs: number | undefined;
  const lastMs = Math.min(untilMs, endedMs ?? untilMs);
  for (const { container: only = container, lines: stageLines = [], after, every } of stageOf(pod, stages)?.spec
    ?.logs ?? []) {
    if (only !== container || stageLines.length === 0) continue;
    const firstMs = startedMs + parseDuration(after ?? "0s");
    const periodMs = every === undefined ? Number.POSITIVE_INFINITY : Math.max(1, parseDuration(every));
    const last =
      firstMs > lastMs ? -1 : periodMs === Number.POSITIVE_INFINITY ? 0 : Math.floor((lastMs - firstMs) / periodMs);
    const timeOf = (round: number): number => (round === 0 ? firstMs : firstMs + round * periodMs);
    for (let round = Math.max(0, last - Math.floor(maxLines / stageLines.length)); round <= last; round++)
      for (const text of stageLines) lines.push({ atMs: timeOf(round), text });
    const followingMs = timeOf(last + 1);
    if (endedMs === undefined && followingMs < (nextMs ?? Number.POSITIVE_INFINITY)) nextMs = followingMs;
  }
  lines.sort((a, b) => a.atMs - b.atMs);
  return { lines: lines.slice(-maxLines), nextMs };
}
