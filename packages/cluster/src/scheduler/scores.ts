import { matchesTerm, tolerates } from "./node-selection.js";
import type { NodeState } from "./node-state.js";
import { affinityPreference, type NamespaceLabels } from "./pod-affinity.js";
import { nonZeroRequests } from "./pod-resources.js";
import type { ReadPod } from "./scheduler-objects.js";
import { softSpreadCount } from "./topology-spread.js";

/** A score plugin with its weight. */
interface Score {
  readonly weight: number;
  /** Larger is better, on any scale. */
  readonly of: (node: NodeState) => number;
  /** Whether to normalize the scores of all nodes to 0 to 100. */
  readonly relative: boolean;
}

/** The feasible node with the highest score: free resources, balance, taints, affinity, spread. Ties are broken by name. */
export function bestNode(
  pod: ReadPod,
  feasible: readonly NodeState[],
  all: readonly NodeState[],
  labelsOf: NamespaceLabels,
): NodeState | undefined {
  if (feasible.length <= 1) return feasible[0];
  const totals = new Float64Array(feasible.length);
  const values = new Float64Array(feasible.length);
  for (const { weight, of, relative } of scoresFor(pod, all, labelsOf)) {
    let [least, most] = relative ? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] : [0, 100];
    let at = 0;
    for (const node of feasible) {
      const value = of(node);
      values[at++] = value;
      if (!relative) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    const range = most - least;
    if (range === 0) continue;
    for (at = 0; at < totals.length; at++)
      totals[at] = (totals[at] ?? 0) + (weight * 100 * ((values[at] ?? 0) - least)) / range;
  }
  let best = 0;
  for (let at = 1; at < totals.length; at++) {
    const ahead = (totals[at] ?? 0) - (totals[best] ?? 0);
    if (ahead > 0 || (ahead === 0 && (feasible[at]?.name ?? "") < (feasible[best]?.name ?? ""))) best = at;
  }
  return feasible[best];
}

function scoresFor(pod: ReadPod, all: readonly NodeState[], labelsOf: NamespaceLabels): Score[] {
  const scores: Score[] = [{ weight: 1, relative: false, of: resourceScore(pod) }];
  if (all.some(({ node }) => (node.spec?.taints?.length ?? 0) > 0))
    scores.push({ weight: 3, relative: true, of: (node) => -untoleratedPreferences(pod, node) });
  if (pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution !== undefined)
    scores.push({ weight: 2, relative: true, of: (node) => preferred(pod, node) });
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  if (podAffinity !== undefined || podAntiAffinity !== undefined)
    scores.push({ weight: 2, relative: true, of: (node) => affinityPreference(pod, node, all, labelsOf) });
  if (pod.spec?.topologySpreadConstraints !== undefined)
    scores.push({ weight: 2, relative: true, of: (node) => -softSpreadCount(pod, node, all) });
  else if (pod.metadata.ownerReferences !== undefined)
    scores.push({ weight: 2, relative: true, of: fewest(siblingsOf(pod)) });
  return scores;
}

/** NodeResourcesFit (LeastAllocated) plus NodeResourcesBalancedAllocation, each from 0 to 100. */
function resourceScore(pod: ReadPod): Score["of"] {
  const requests = nonZeroRequests(pod);
  const share = (used: number, capacity: number | undefined): number => (capacity ? used / capacity : 1);
  return ({ allocatable, nonZeroRequested }) => {
    const cpu = share(nonZeroRequested.cpu + requests.cpu, allocatable.get("cpu"));
    const memory = share(nonZeroRequested.memory + requests.memory, allocatable.get("memory"));
    const free = (100 * (Math.max(0, 1 - cpu) + Math.max(0, 1 - memory))) / 2;
    return free + 100 * (1 - Math.abs(Math.min(1, cpu) - Math.min(1, memory)) / 2);
  };
}

function fewest(count: Score["of"]): Score["of"] {
  return (node) => -count(node);
}

/** The number of PreferNoSchedule taints that a Pod does not tolerate. */
function untoleratedPreferences(pod: ReadPod, { node }: NodeState): number {
  return (node.spec?.taints ?? []).filter(
    (taint) => taint.effect === "PreferNoSchedule" && !tolerates(pod.spec?.tolerations ?? [], taint),
  ).length;
}

function preferred(pod: ReadPod, { labels, name }: NodeState): number {
  let sum = 0;
  for (const { weight, preference } of pod.spec?.affinity?.nodeAffinity
    ?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
    if (matchesTerm(preference, labels, name)) sum += weight;
  return sum;
}

/** The number of Pods with the same controller on a node: the default spread of a workload. */
function siblingsOf(pod: ReadPod): Score["of"] {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
  return (node) => (owner === undefined ? 0 : node.countOf(owner));
}
