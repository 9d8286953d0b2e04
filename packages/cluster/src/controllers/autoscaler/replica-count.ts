import type { PodGroups, PodSample } from "./pod-groups.js";
import { isNear, type Tolerances } from "./tolerances.js";

/** The largest number that a count of replicas can be. */
const most = 2 ** 31 - 1;

/** How usage stands to its target. */
export interface Measured {
  readonly ratio: number;
  /** What each pod uses on average, in thousandths. */
  readonly averageMilli: bigint;
  /** The same in hundredths of what is requested, where that is the target. */
  readonly utilization?: number;
}

/** What the pods of a workload use, and how that is measured. */
export interface PodUsage {
  readonly samples: ReadonlyMap<string, PodSample>;
  readonly groups: PodGroups;
  /** Of what the pods use, how it stands to the target. */
  readonly measure: (used: ReadonlyMap<string, bigint>) => Measured;
  /** What a pod of which nothing is known is taken to use when there might be too many. */
  readonly assumed: (pod: string) => bigint;
}

/**
 * How many pods bring usage back to its target. Of pods of which nothing is known the least favourable is taken, of those that are still to come
 * nothing; where that would turn the direction, all stays as it is.
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
    return isNear(ratio, tolerances) ? stay : { replicas: ceil(ratio * groups.ready), measured };
  if (ratio !== 1) for (const pod of groups.missing) used.set(pod, ratio < 1 ? assumed(pod) : 0n);
  if (growsWithUnready) for (const pod of groups.unready) used.set(pod, 0n);
  const next = measure(used).ratio;
  if (isNear(next, tolerances) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) return stay;
  const replicas = ceil(next * used.size);
  if ((next < 1 && replicas > current) || (next > 1 && replicas < current)) return stay;
  return { replicas, measured };
}

/** Measures by what is requested: the target is a share of it, in hundredths. */
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

/** Measures by an amount for each pod. */
export function byAmount(targetMilli: bigint): PodUsage["measure"] {
  return (used) => {
    let total = 0n;
    for (const milli of used.values()) total += milli;
    const averageMilli = total / BigInt(used.size);
    return { ratio: Number(averageMilli) / Number(targetMilli), averageMilli };
  };
}

/** How many pods bring one value, which does not come from pods, back to its target. */
export function replicasByValue(current: number, ratio: number, ready: () => number, tolerances: Tolerances): number {
  if (current === 0) return ceil(ratio);
  return isNear(ratio, tolerances) ? current : ceil(ratio * ready());
}

/** How many pods share one value so that each has its target, and what each has now. */
export function replicasByShare(
  current: number,
  totalMilli: bigint,
  targetMilli: bigint,
  tolerances: Tolerances,
): { readonly replicas: number; readonly averageMilli: bigint } {
  const ratio = Number(totalMilli) / (Number(targetMilli) * current);
  const average = Math.ceil(Number(totalMilli) / current);
  return {
    replicas: isNear(ratio, tolerances) ? current : ceil(Number(totalMilli) / Number(targetMilli)),
    averageMilli: Number.isFinite(average) ? BigInt(average) : totalMilli,
  };
}

function ceil(count: number): number {
  return Math.min(most, Math.ceil(count));
}
