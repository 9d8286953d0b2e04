import type { ReadPod } from "./autoscaler-objects.js";

/** What a pod used, in thousandths, over a window that ended at a moment. */
export interface PodSample {
  readonly milli: bigint;
  readonly atMs: number;
  readonly windowMs: number;
}

/** Which pods count, and how. */
export interface PodGroups {
  /** How many count by what they use. */
  readonly ready: number;
  /** Those that are still to come. */
  readonly unready: ReadonlySet<string>;
  /** Those of which nothing is known. */
  readonly missing: ReadonlySet<string>;
  /** Those that go, or failed. */
  readonly ignored: ReadonlySet<string>;
}

/** A pod burns more than usual while it starts: so long its CPU counts only from when it was ready. */
const startingMs = 300_000;
/** A pod that turns unready sooner than this after its start has never been ready. */
const firstReadinessMs = 30_000;

/** Sorts pods by whether what they use tells anything. */
export function groupPods(
  pods: readonly ReadPod[],
  samples: ReadonlyMap<string, PodSample>,
  resource: string,
  nowMs: number,
): PodGroups {
  const [unready, missing, ignored] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let ready = 0;
  for (const pod of pods) {
    const { name } = pod.metadata;
    const sample = samples.get(name);
    if (pod.metadata.deletionTimestamp !== undefined || pod.status?.phase === "Failed") ignored.add(name);
    else if (pod.status?.phase === "Pending") unready.add(name);
    else if (sample === undefined) missing.add(name);
    else if (resource === "cpu" && isStarting(pod, sample, nowMs)) unready.add(name);
    else ready++;
  }
  return { ready, unready, missing, ignored };
}

function isStarting({ status }: ReadPod, { atMs, windowMs }: PodSample, nowMs: number): boolean {
  const condition = status?.conditions?.find(({ type }) => type === "Ready");
  if (condition === undefined || status?.startTime === undefined) return true;
  const startMs = Date.parse(status.startTime);
  const changedMs = Date.parse(condition.lastTransitionTime ?? "") || 0;
  const isUnready = condition.status === "False";
  if (startMs + startingMs > nowMs) return isUnready || atMs < changedMs + windowMs;
  return isUnready && startMs + firstReadinessMs > changedMs;
}
