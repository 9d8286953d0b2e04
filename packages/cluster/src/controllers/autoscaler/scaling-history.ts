/** A number of replicas at a moment. */
interface Dated {
  readonly replicas: number;
  readonly atMs: number;
}

/** What an autoscaler remembers of one workload: what was recommended, and by how much it grew and shrank. */
export interface ScalingHistory {
  readonly recommended: readonly Dated[];
  readonly grown: readonly Dated[];
  readonly shrunk: readonly Dated[];
}

/** What is remembered of a workload that is seen for the first time. */
export function firstSeen(replicas: number, atMs: number): ScalingHistory {
  return { recommended: [{ replicas, atMs }], grown: [], shrunk: [] };
}

/** Adds a recommendation, and forgets those that no window reaches any more. */
export function withRecommendation(
  history: ScalingHistory,
  replicas: number,
  nowMs: number,
  windowSeconds: number,
): ScalingHistory {
  return { ...history, recommended: [...since(history.recommended, windowSeconds, nowMs), { replicas, atMs: nowMs }] };
}

/** Adds a scale up (positive `difference`) or down, and drops the changes that are older than every policy's period. */
export function withChange(
  history: ScalingHistory,
  difference: number,
  nowMs: number,
  periodSeconds: number,
): ScalingHistory {
  const change = { replicas: Math.abs(difference), atMs: nowMs };
  return difference > 0
    ? { ...history, grown: [...since(history.grown, periodSeconds, nowMs), change] }
    : { ...history, shrunk: [...since(history.shrunk, periodSeconds, nowMs), change] };
}

/** Those of the last seconds. What is exactly as old is not among them: a real autoscaler is always a little late. */
export function since(dated: readonly Dated[], seconds: number, nowMs: number): readonly Dated[] {
  return dated.filter(({ atMs }) => atMs > nowMs - seconds * 1_000);
}
