import type { ReadPod } from "./autoscaler-objects.js";

/** The usage of a Pod in milli-units, over a window that ended at `atMs`. */
export interface PodSample {
  readonly milli: bigint;
  readonly atMs: number;
  readonly windowMs: number;
}

/** Pods grouped by how their metrics count. */
export interface PodGroups {
  /** How many Pods have metrics that count. */
  readonly ready: number;
  /** Pods that are pending or still starting. */
  readonly unready: ReadonlySet<string>;
  /** Pods without metrics. */
  readonly missing: ReadonlySet<string>;
  /** Pods that are terminating or failed. */
  readonly ignored: ReadonlySet<string>;
}

/** --horizontal-pod-autoscaler-cpu-initialization-period: until then, CPU metrics count only from a full window after readiness. */
const cpuInitializationPeriodMs = 300_000;
/** --horizontal-pod-autoscaler-initial-readiness-delay: a Pod that became unready within it was never ready. */
const initialReadinessDelayMs = 30_000;

/** Groups Pods by whether their metrics count. */
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
  if (startMs + cpuInitializationPeriodMs > nowMs) return isUnready || atMs < changedMs + windowMs;
  return isUnready && startMs + initialReadinessDelayMs > changedMs;
}
