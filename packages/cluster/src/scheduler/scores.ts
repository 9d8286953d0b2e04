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
  const totals = new Map(fitting.map((node) => [node, 0]));
  for (const { weight, of, relative } of scoresFor(pod, all, labelsOf)) {
    const values = fitting.map(of);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    if (relative && most === least) continue;
    for (const [at, node] of fitting.entries()) {
      const value = values[at] ?? 0;
      totals.set(
        node,
        (totals.get(node) ?? 0) + weight * (relative ? (100 * (value - least)) / (most - least) : value),
      );
    }
  }
  return [...fitting].sort((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0) || (a.name < b.name ? -1 : 1))[0];
}

function scoresFor(pod: ReadPod, all: readonly NodeState[], labelsOf: NamespaceLabels): Score[] {
  const scores: Score[] = [{ weight: 1, relative: false, of: (node) => freeRoom(pod, node) + balance(pod, node) }];
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
    scores.push({ weight: 2, relative: true, of: (node) => -siblings(pod, node) });
  return scores;
}

/** The share of cpu and memory that would be left, from 0 to 100. */
function freeRoom(pod: ReadPod, node: NodeState): number {
  const { cpu, memory } = usedShares(pod, node);
  return (100 * (Math.max(0, 1 - cpu) + Math.max(0, 1 - memory))) / 2;
}

/** How equally cpu and memory would be used, from 0 to 100. */
function balance(pod: ReadPod, node: NodeState): number {
  const { cpu, memory } = usedShares(pod, node);
  return 100 * (1 - Math.abs(Math.min(1, cpu) - Math.min(1, memory)) / 2);
}

function usedShares(
  pod: ReadPod,
  { allocatable, scored }: NodeState,
): { readonly cpu: number; readonly memory: number } {
  const wanted = scoredResources(pod);
  const share = (used: number, capacity: number | undefined): number => (capacity ? used / capacity : 1);
  return {
    cpu: share(scored.cpu + wanted.cpu, allocatable.get("cpu")),
    memory: share(scored.memory + wanted.memory, allocatable.get("memory")),
  };
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
function siblings(pod: ReadPod, node: NodeState): number {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
  return owner === undefined ? 0 : node.countOf(owner);
}
