import { matchesTerm, tolerates } from "./node-selection.js";
import type { NodeState } from "./node-state.js";
import { affinityPreference, type NamespaceLabels } from "./pod-affinity.js";
import { scoredResources } from "./pod-resources.js";
import type { ReadPod } from "./scheduler-objects.js";
import { crowding } from "./topology-spread.js";

/** One view on how good a node is for a pod, and how much it counts. */
interface Score {
  readonly weight: number;
  /** Larger is better; on no scale. */
  readonly of: (node: NodeState) => number;
  /** Whether the best of the nodes counts 100 and the worst 0, instead of the numbers themselves. */
  readonly relative: boolean;
}

/** The best of the nodes that a pod fits on: free room, balance, preferences of the pod, spread. Of equal ones the first by name. */
export function bestNode(
  pod: ReadPod,
  fitting: readonly NodeState[],
  all: readonly NodeState[],
  labelsOf: NamespaceLabels,
): NodeState | undefined {
  if (fitting.length <= 1) return fitting[0];
  const totals = new Float64Array(fitting.length);
  const values = new Float64Array(fitting.length);
  for (const { weight, of, relative } of scoresFor(pod, all, labelsOf)) {
    let [least, most] = relative ? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] : [0, 100];
    let at = 0;
    for (const node of fitting) {
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
    if (ahead > 0 || (ahead === 0 && (fitting[at]?.name ?? "") < (fitting[best]?.name ?? ""))) best = at;
  }
  return fitting[best];
}

function scoresFor(pod: ReadPod, all: readonly NodeState[], labelsOf: NamespaceLabels): Score[] {
  const scores: Score[] = [{ weight: 1, relative: false, of: roomFor(pod) }];
  if (all.some(({ node }) => (node.spec?.taints?.length ?? 0) > 0))
    scores.push({ weight: 3, relative: true, of: (node) => -disliked(pod, node) });
  if (pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution !== undefined)
    scores.push({ weight: 2, relative: true, of: (node) => preferred(pod, node) });
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  if (podAffinity !== undefined || podAntiAffinity !== undefined)
    scores.push({ weight: 2, relative: true, of: (node) => affinityPreference(pod, node, all, labelsOf) });
  if (pod.spec?.topologySpreadConstraints !== undefined)
    scores.push({ weight: 2, relative: true, of: (node) => -crowding(pod, node, all) });
  else if (pod.metadata.ownerReferences !== undefined)
    scores.push({ weight: 2, relative: true, of: fewest(siblingsOf(pod)) });
  return scores;
}

/** The share of cpu and memory that would be left, and how equally they would be used: each from 0 to 100. */
function roomFor(pod: ReadPod): Score["of"] {
  const wanted = scoredResources(pod);
  const share = (used: number, capacity: number | undefined): number => (capacity ? used / capacity : 1);
  return ({ allocatable, scored }) => {
    const cpu = share(scored.cpu + wanted.cpu, allocatable.get("cpu"));
    const memory = share(scored.memory + wanted.memory, allocatable.get("memory"));
    const free = (100 * (Math.max(0, 1 - cpu) + Math.max(0, 1 - memory))) / 2;
    return free + 100 * (1 - Math.abs(Math.min(1, cpu) - Math.min(1, memory)) / 2);
  };
}

function fewest(count: Score["of"]): Score["of"] {
  return (node) => -count(node);
}

/** How many taints that only ask to stay away a pod does not tolerate. */
function disliked(pod: ReadPod, { node }: NodeState): number {
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

/** How many pods of the same owner are on a node: where nothing else is said, they are spread. */
function siblingsOf(pod: ReadPod): Score["of"] {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
  return (node) => (owner === undefined ? 0 : node.countOf(owner));
}
