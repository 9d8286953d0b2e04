import type { ReadBehavior, ReadRules } from "./autoscaler-objects.js";
import { type ScalingHistory, since } from "./scaling-history.js";

/** The reason and message of a condition. */
export interface Reason {
  readonly reason: string;
  readonly message: string;
}

/** A recommendation after stabilization and limits. */
export interface Bounded {
  readonly replicas: number;
  /** The AbleToScale reason after stabilization. */
  readonly stabilized: Reason;
  /** The ScalingLimited reason after minReplicas, maxReplicas and policies. */
  readonly limited: Reason & { readonly isLimited: boolean };
}

/** The limits of a recommendation. */
export interface Bounds {
  readonly current: number;
  readonly min: number;
  readonly max: number;
  readonly behavior: ReadBehavior | undefined;
}

/** --horizontal-pod-autoscaler-downscale-stabilization: 5 min. */
const defaultWindowSeconds = 300;

/** The stabilization windows, in seconds. */
export function windowSeconds(behavior: ReadBehavior | undefined): { readonly up: number; readonly down: number } {
  return {
    up: behavior?.scaleUp?.stabilizationWindowSeconds ?? 0,
    down: behavior?.scaleDown?.stabilizationWindowSeconds ?? defaultWindowSeconds,
  };
}

/** The longest periodSeconds of the policies. */
export function longestPeriod(rules: ReadRules | undefined): number {
  return Math.max(0, ...(rules?.policies ?? []).map(({ periodSeconds }) => periodSeconds));
}

/** Stabilizes a recommendation, then limits it by minReplicas, maxReplicas and the scaling policies. */
export function boundedReplicas(desired: number, bounds: Bounds, history: ScalingHistory, nowMs: number): Bounded {
  const stable =
    bounds.behavior === undefined
      ? highestRecommendation(desired, history, nowMs)
      : stabilize(desired, bounds, history, nowMs);
  const stabilized =
    stable === desired
      ? { reason: "ReadyForNewScale", message: "recommended size matches current size" }
      : bounds.behavior === undefined || desired < bounds.current
        ? reasons.scaleDownStabilized
        : reasons.scaleUpStabilized;
  const limit =
    bounds.behavior === undefined
      ? limitByDefaultRate(stable, bounds)
      : limitByPolicies(stable, bounds, history, nowMs);
  return limit === undefined
    ? { replicas: stable, stabilized, limited: { ...reasons.withinRange, isLimited: false } }
    : { replicas: limit.replicas, stabilized, limited: { ...limit.reason, isLimited: true } };
}

const reasons = {
  scaleDownStabilized: {
    reason: "ScaleDownStabilized",
    message: "recent recommendations were higher than current one, applying the highest recent recommendation",
  },
  scaleUpStabilized: {
    reason: "ScaleUpStabilized",
    message: "recent recommendations were lower than current one, applying the lowest recent recommendation",
  },
  withinRange: { reason: "DesiredWithinRange", message: "the desired count is within the acceptable range" },
  tooMany: { reason: "TooManyReplicas", message: "the desired replica count is more than the maximum replica count" },
  tooFew: { reason: "TooFewReplicas", message: "the desired replica count is less than the minimum replica count" },
  tooFastUp: {
    reason: "ScaleUpLimit",
    message: "the desired replica count is increasing faster than the maximum scale rate",
  },
  tooFastDown: {
    reason: "ScaleDownLimit",
    message: "the desired replica count is decreasing faster than the maximum scale rate",
  },
} as const;

function highestRecommendation(desired: number, { recommendations }: ScalingHistory, nowMs: number): number {
  return Math.max(desired, ...since(recommendations, defaultWindowSeconds, nowMs).map(({ replicas }) => replicas));
}

/** The count nearest to the current one that the recommendations of both windows allow. */
function stabilize(
  desired: number,
  { current, behavior }: Bounds,
  { recommendations }: ScalingHistory,
  nowMs: number,
): number {
  const { up, down } = windowSeconds(behavior);
  const lowest = Math.min(desired, ...since(recommendations, up, nowMs).map(({ replicas }) => replicas));
  const highest = Math.max(desired, ...since(recommendations, down, nowMs).map(({ replicas }) => replicas));
  return Math.min(Math.max(current, lowest), highest);
}

interface Limit {
  readonly replicas: number;
  readonly reason: Reason;
}

/** Without a behavior, one sync scales up to at most twice the current count, or to 4. */
function limitByDefaultRate(desired: number, { current, min, max }: Bounds): Limit | undefined {
  if (desired < min) return { replicas: min, reason: reasons.tooFew };
  const rate = Math.max(2 * current, 4);
  if (desired <= Math.min(max, rate)) return undefined;
  return max > rate ? { replicas: rate, reason: reasons.tooFastUp } : { replicas: max, reason: reasons.tooMany };
}

function limitByPolicies(desired: number, bounds: Bounds, history: ScalingHistory, nowMs: number): Limit | undefined {
  const { current, min, max, behavior } = bounds;
  if (desired > current) {
    const rate = Math.max(current, highestAllowed(current, behavior?.scaleUp, history, nowMs));
    if (desired <= Math.min(max, rate)) return undefined;
    return max > rate ? { replicas: rate, reason: reasons.tooFastUp } : { replicas: max, reason: reasons.tooMany };
  }
  if (desired === current) return undefined;
  const rate = Math.min(current, lowestAllowed(current, behavior?.scaleDown, history, nowMs));
  if (desired >= Math.max(min, rate)) return undefined;
  return min < rate ? { replicas: rate, reason: reasons.tooFastDown } : { replicas: min, reason: reasons.tooFew };
}

/** The upper limit of a scale-up by its policies. */
function highestAllowed(current: number, rules: ReadRules = {}, history: ScalingHistory, nowMs: number): number {
  if (rules.selectPolicy === "Disabled") return current;
  const allowed = (rules.policies ?? []).map(({ type, value, periodSeconds }) => {
    const before = atStartOf(periodSeconds, current, history, nowMs);
    // Rounds up, or a small workload would never scale up.
    return type === "Pods" ? before + value : Math.ceil(before * (1 + value / 100));
  });
  return rules.selectPolicy === "Min" ? Math.min(...allowed) : Math.max(...allowed);
}

/** The lower limit of a scale-down by its policies. */
function lowestAllowed(current: number, rules: ReadRules = {}, history: ScalingHistory, nowMs: number): number {
  if (rules.selectPolicy === "Disabled") return current;
  const allowed = (rules.policies ?? []).map(({ type, value, periodSeconds }) => {
    const before = atStartOf(periodSeconds, current, history, nowMs);
    return type === "Pods" ? before - value : Math.trunc(before * (1 - value / 100));
  });
  return rules.selectPolicy === "Min" ? Math.max(...allowed) : Math.min(...allowed);
}

/** The replica count at the start of a policy's period. */
function atStartOf(seconds: number, current: number, { scaleUps, scaleDowns }: ScalingHistory, nowMs: number): number {
  const sum = (changes: ScalingHistory["scaleUps"]): number =>
    since(changes, seconds, nowMs).reduce((total, { replicas }) => total + replicas, 0);
  return current - sum(scaleUps) + sum(scaleDowns);
}
