/** A replica count or difference at a time. */
interface TimedReplicas {
  readonly replicas: number;
  readonly atMs: number;
}

/** Recommendations and scale events of one HPA. */
export interface ScalingHistory {
  readonly recommendations: readonly TimedReplicas[];
  readonly scaleUps: readonly TimedReplicas[];
  readonly scaleDowns: readonly TimedReplicas[];
}

/** The history of an HPA at its first sync. */
export function initialHistory(replicas: number, atMs: number): ScalingHistory {
  return { recommendations: [{ replicas, atMs }], scaleUps: [], scaleDowns: [] };
}

/** Adds a recommendation, and drops those older than the window. */
export function withRecommendation(
  history: ScalingHistory,
  replicas: number,
  nowMs: number,
  windowSeconds: number,
): ScalingHistory {
  return {
    ...history,
    recommendations: [...since(history.recommendations, windowSeconds, nowMs), { replicas, atMs: nowMs }],
  };
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
    ? { ...history, scaleUps: [...since(history.scaleUps, periodSeconds, nowMs), change] }
    : { ...history, scaleDowns: [...since(history.scaleDowns, periodSeconds, nowMs), change] };
}

/** The entries of the last `seconds`. An entry of exactly that age is excluded, because a real controller always runs slightly late. */
export function since(dated: readonly TimedReplicas[], seconds: number, nowMs: number): readonly TimedReplicas[] {
  return dated.filter(({ atMs }) => atMs > nowMs - seconds * 1_000);
}
