import { labelSelectorFrom } from "@kubewright/core/selector";
import { isSelected, untolerated } from "./node-selection.js";
import type { NodeState } from "./node-state.js";
import type { ReadPod, ReadSpreadConstraint } from "./scheduler-objects.js";

/** The matching Pods of a constraint per topology domain. */
interface Spread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly least: number;
  /** 1 if the Pod matches its own constraint. */
  readonly self: 0 | 1;
}

/** The hard topology spread constraints of one Pod, computed once and checked for each node. */
export class TopologySpread {
  readonly #spreads: readonly Spread[];

  constructor(pod: ReadPod, nodes: readonly NodeState[]) {
    const hard = (pod.spec?.topologySpreadConstraints ?? []).filter(
      ({ whenUnsatisfiable }) => whenUnsatisfiable === "DoNotSchedule",
    );
    const keys = hard.map(({ topologyKey }) => topologyKey);
    this.#spreads = hard.map((constraint) => spreadOf(constraint, pod, nodes, keys));
  }

  /** kube-scheduler's reason why the Pod does not fit on a node; undefined if it fits. */
  check({ labels }: NodeState): { readonly reason: string; readonly resolvable: boolean } | undefined {
    for (const { topologyKey, maxSkew, counts, least, self } of this.#spreads) {
      const value = labels[topologyKey];
      if (value === undefined)
        return {
          reason: "node(s) didn't match pod topology spread constraints (missing required label)",
          resolvable: false,
        };
      if ((counts.get(value) ?? 0) + self - least > maxSkew)
        return { reason: "node(s) didn't match pod topology spread constraints", resolvable: true };
    }
    return undefined;
  }
}

/** The number of Pods in the node's domains that match the soft constraints of a Pod. Fewer is better. */
export function softSpreadCount(pod: ReadPod, node: NodeState, nodes: readonly NodeState[]): number {
  let sum = 0;
  for (const constraint of pod.spec?.topologySpreadConstraints ?? []) {
    const { whenUnsatisfiable, topologyKey } = constraint;
    if (whenUnsatisfiable !== "ScheduleAnyway" || node.labels[topologyKey] === undefined) continue;
    const { counts } = spreadOf(constraint, pod, nodes, [topologyKey]);
    sum += counts.get(node.labels[topologyKey]) ?? 0;
  }
  return sum;
}

function spreadOf(
  constraint: ReadSpreadConstraint,
  pod: ReadPod,
  nodes: readonly NodeState[],
  requiredKeys: readonly string[],
): Spread {
  const {
    topologyKey,
    maxSkew,
    minDomains = 1,
    nodeAffinityPolicy = "Honor",
    nodeTaintsPolicy = "Ignore",
  } = constraint;
  const matches = matcherOf(constraint, pod);
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const value = node.labels[topologyKey];
    if (value === undefined || requiredKeys.some((key) => node.labels[key] === undefined)) continue;
    if (nodeAffinityPolicy === "Honor" && !isSelected(pod, node)) continue;
    if (nodeTaintsPolicy === "Honor" && untolerated(pod, node.node.spec?.taints ?? []) !== undefined) continue;
    let count = counts.get(value) ?? 0;
    for (const other of node.pods.values()) if (matches(other)) count++;
    counts.set(value, count);
  }
  const least = counts.size < minDomains ? 0 : Math.min(...counts.values(), Number.POSITIVE_INFINITY);
  return {
    topologyKey,
    maxSkew,
    counts,
    least: Number.isFinite(least) ? least : 0,
    self: matches(pod) ? 1 : 0,
  };
}

function matcherOf(
  { labelSelector, matchLabelKeys = [] }: ReadSpreadConstraint,
  pod: ReadPod,
): (other: ReadPod) => boolean {
  const selector = labelSelectorFrom(labelSelector);
  const { namespace, labels = {} } = pod.metadata;
  const keys = matchLabelKeys.filter((key) => Object.hasOwn(labels, key));
  return ({ metadata }) =>
    metadata.namespace === namespace &&
    metadata.deletionTimestamp === undefined &&
    selector.matches(metadata.labels ?? {}) &&
    keys.every((key) => metadata.labels?.[key] === labels[key]);
}
