/** A replica count or difference at a time. */
interface Dated {
  readonly replicas: number;
  readonly atMs: number;
}

/** Recommendations and scale events of one HPA. */
export interface ScalingHistory {
  readonly recommended: readonly Dated[];
  readonly grown: readonly Dated[];
  readonly shrunk: readonly Dated[];
}

/** The history of an HPA at its first sync. */
export function firstSeen(replicas: number, atMs: number): ScalingHistory {
  return { recommended: [{ replicas, atMs }], grown: [], shrunk: [] };
}

/** Adds a recommendation, and drops those older than the window. */
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

/** The entries of the last `seconds`. An entry of exactly that age is excluded, because a real controller always runs slightly late. */
export function since(dated: readonly Dated[], seconds: number, nowMs: number): readonly Dated[] {
  return dated.filter(({ atMs }) => atMs > nowMs - seconds * 1_000);
}
