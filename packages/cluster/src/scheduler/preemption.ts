import { labelSelectorFrom } from "@kubewright/core/selector";
import type { ReadOf } from "kubewright";
import type { PodDisruptionBudget } from "kubewright/k8s/policy/v1";
import type { Filter, Rejection } from "./filters.js";
import { fitErrorMessage } from "./fit-error.js";
import type { NodeState } from "./node-state.js";
import { priorityOf, type ReadPod } from "./scheduler-objects.js";

type ReadBudget = ReadOf<typeof PodDisruptionBudget>;

/** kube-scheduler's message for a Pod whose victims are still terminating. */
export const waitingForVictims = "not eligible due to terminating pod on the nominated node.";

/** The victims of a preemption, and their node. */
export interface Preemption {
  readonly node: NodeState;
  readonly victims: readonly ReadPod[];
}

/** Input of {@link findPreemption}. */
export interface PreemptionInput {
  readonly pod: ReadPod;
  readonly nodes: readonly NodeState[];
  /** The rejection of each node; nodes without an entry were not checked. */
  readonly rejections: ReadonlyMap<NodeState, Rejection>;
  /** Rebuilds the filters for the current Pods of the nodes. */
  readonly filters: () => Filter;
  readonly budgets: readonly ReadBudget[];
}

/**
 * Finds the node on which preempting Pods of lower priority does the least harm: fewest PDB violations, then lowest priorities, then fewest
 * victims. Returns kube-scheduler's message if there is none.
 */
export function findPreemption(input: PreemptionInput): Preemption | string {
  const { pod, nodes, rejections } = input;
  if (pod.spec?.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const nominated = nodes.find(({ name }) => name === pod.status?.nominatedNodeName);
  const isTerminatingVictim = ({ metadata, ...other }: ReadPod): boolean =>
    metadata.deletionTimestamp !== undefined && (other.spec?.priority ?? 0) < priorityOf(pod);
  if (
    nominated !== undefined &&
    rejections.get(nominated)?.resolvable !== false &&
    [...nominated.pods.values()].some(isTerminatingVictim)
  )
    return waitingForVictims;
  const reasons: string[] = [];
  const candidates: Candidate[] = [];
  for (const node of nodes) {
    if (rejections.get(node)?.resolvable !== true) {
      reasons.push("Preemption is not helpful for scheduling");
      continue;
    }
    const candidate = victimsOn(node, input);
    if (typeof candidate === "string") reasons.push(candidate);
    else candidates.push(candidate);
  }
  return candidates.sort(byLeastDisruption)[0] ?? fitErrorMessage(nodes.length, reasons);
}

interface Candidate extends Preemption {
  readonly pdbViolations: number;
}

function victimsOn(node: NodeState, { pod, filters, budgets }: PreemptionInput): Candidate | string {
  const lower = [...node.pods.values()].filter((other) => priorityOf(other) < priorityOf(pod));
  if (lower.length === 0) return "No preemption victims found for incoming pod";
  for (const { metadata } of lower) node.remove(metadata.uid);
  try {
    const rejection = filters()(node);
    if (rejection !== undefined) return rejection.reasons.join(", ");
    // Reprieves as many Pods as possible: first those whose eviction violates a PDB, in order of priority.
    const { violating, others } = splitByBudget(lower, budgets);
    const victims: ReadPod[] = [];
    let pdbViolations = 0;
    for (const [group, isViolating] of [
      [violating, true],
      [others, false],
    ] as const)
      for (const one of [...group].sort(moreImportant)) {
        node.put(one);
        if (filters()(node) === undefined) continue;
        node.remove(one.metadata.uid);
        victims.push(one);
        if (isViolating) pdbViolations++;
      }
    return { node, victims, pdbViolations };
  } finally {
    for (const one of lower) node.put(one);
  }
}

/** Separates Pods whose eviction violates a PDB from the others. */
function splitByBudget(
  pods: readonly ReadPod[],
  budgets: readonly ReadBudget[],
): { readonly violating: readonly ReadPod[]; readonly others: readonly ReadPod[] } {
  const left = budgets.map((budget) => ({
    budget,
    selector: labelSelectorFrom(budget.spec?.selector),
    allowed: budget.status?.disruptionsAllowed ?? 0,
  }));
  const violating: ReadPod[] = [];
  const others: ReadPod[] = [];
  for (const pod of [...pods].sort(moreImportant)) {
    const { namespace, labels = {} } = pod.metadata;
    const matching = left.filter(
      ({ budget, selector }) => budget.metadata.namespace === namespace && selector.matches(labels),
    );
    const isViolating = matching.filter((one) => one.allowed-- <= 0).length > 0;
    (isViolating ? violating : others).push(pod);
  }
  return { violating, others };
}

function moreImportant(a: ReadPod, b: ReadPod): number {
  return priorityOf(b) - priorityOf(a) || startOf(a) - startOf(b);
}

function startOf({ status, metadata }: ReadPod): number {
  return Date.parse(status?.startTime ?? metadata.creationTimestamp ?? "") || 0;
}

function byLeastDisruption(a: Candidate, b: Candidate): number {
  const highest = ({ victims }: Candidate): number => Math.max(...victims.map(priorityOf), Number.NEGATIVE_INFINITY);
  const sum = ({ victims }: Candidate): number =>
    victims.reduce((all, victim) => all + priorityOf(victim) + 2 ** 31, 0);
  const earliest = (one: Candidate): number =>
    Math.min(...one.victims.filter((victim) => priorityOf(victim) === highest(one)).map(startOf));
  return (
    a.pdbViolations - b.pdbViolations ||
    highest(a) - highest(b) ||
    sum(a) - sum(b) ||
    a.victims.length - b.victims.length ||
    earliest(b) - earliest(a)
  );
}
