import type { PodGroups, PodSample } from "./pod-groups.js";
import { isWithinTolerance, type Tolerances } from "./tolerances.js";

/** The largest int32, the maximum of a replica count. */
const maxReplicas = 2 ** 31 - 1;

/** Usage compared with its target. */
export interface Measured {
  readonly ratio: number;
  /** Average usage per Pod, in milli-units. */
  readonly averageMilli: bigint;
  /** Average usage in percent of the requests, for a Utilization target. */
  readonly utilization?: number;
}

/** Usage of a workload's Pods, and how to compare it with the target. */
export interface PodUsage {
  readonly samples: ReadonlyMap<string, PodSample>;
  readonly groups: PodGroups;
  /** Compares usage by Pod with the target. */
  readonly measure: (used: ReadonlyMap<string, bigint>) => Measured;
  /** The usage that a scale-down assumes for a Pod without metrics. */
  readonly assumed: (pod: string) => bigint;
}

/**
 * The replica count that brings average usage to its target. A Pod without metrics counts as 0 in a scale-up and as `assumed` in a
 * scale-down; an unready Pod counts as 0 in a scale-up. If that reverses the direction, the count does not change.
 */
export function replicasByPods(
  current: number,
  { samples, groups, measure, assumed }: PodUsage,
  tolerances: Tolerances,
): { readonly replicas: number; readonly measured: Measured } {
  const used = new Map<string, bigint>();
  for (const [pod, { milli }] of samples)
    if (!groups.ignored.has(pod) && !groups.unready.has(pod)) used.set(pod, milli);
  if (used.size === 0) throw new Error("did not receive metrics for targeted pods (pods might be unready)");
  const measured = measure(used);
  const { ratio } = measured;
  const stay = { replicas: current, measured };
  const growsWithUnready = groups.unready.size > 0 && ratio > 1;
  if (!growsWithUnready && groups.missing.size === 0)
    return isWithinTolerance(ratio, tolerances) ? stay : { replicas: ceil(ratio * groups.ready), measured };
  if (ratio !== 1) for (const pod of groups.missing) used.set(pod, ratio < 1 ? assumed(pod) : 0n);
  if (growsWithUnready) for (const pod of groups.unready) used.set(pod, 0n);
  const next = measure(used).ratio;
  if (isWithinTolerance(next, tolerances) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) return stay;
  const replicas = ceil(next * used.size);
  if ((next < 1 && replicas > current) || (next > 1 && replicas < current)) return stay;
  return { replicas, measured };
}

/** Compares usage with a target utilization, in percent of the requests. */
export function byUtilization(requests: ReadonlyMap<string, bigint>, target: number): PodUsage["measure"] {
  return (used) => {
    let [total, requested, count] = [0n, 0n, 0n];
    for (const [pod, milli] of used) {
      const request = requests.get(pod);
      if (request === undefined) continue;
      total += milli;
      requested += request;
      count++;
    }
    if (requested === 0n) throw new Error("no metrics returned matched known pods");
    const utilization = Number((total * 100n) / requested);
    return { ratio: utilization / target, averageMilli: total / count, utilization };
  };
}

/** Compares usage with a target average value. */
export function byAverageValue(targetMilli: bigint): PodUsage["measure"] {
  return (used) => {
    let total = 0n;
    for (const milli of used.values()) total += milli;
    const averageMilli = total / BigInt(used.size);
    return { ratio: Number(averageMilli) / Number(targetMilli), averageMilli };
  };
}

/** The replica count for a Value target of an object or external metric. */
export function replicasByValue(current: number, ratio: number, ready: () => number, tolerances: Tolerances): number {
  if (current === 0) return ceil(ratio);
  return isWithinTolerance(ratio, tolerances) ? current : ceil(ratio * ready());
}

/** The replica count for an AverageValue target of an object or external metric, and the current average value. */
export function replicasByAverageValue(
  current: number,
  totalMilli: bigint,
  targetMilli: bigint,
  tolerances: Tolerances,
): { readonly replicas: number; readonly averageMilli: bigint } {
  const ratio = Number(totalMilli) / (Number(targetMilli) * current);
  const average = Math.ceil(Number(totalMilli) / current);
  return {
    replicas: isWithinTolerance(ratio, tolerances) ? current : ceil(Number(totalMilli) / Number(targetMilli)),
    averageMilli: Number.isFinite(average) ? BigInt(average) : totalMilli,
  };
}

function ceil(count: number): number {
  return Math.min(maxReplicas, Math.ceil(count));
}
