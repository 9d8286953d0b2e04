import { labelSelectorFrom } from "@kubewright/core/selector";
import type { ReadOf } from "kubewright";
import type { PodDisruptionBudget } from "kubewright/k8s/policy/v1";
import type { Filter, Refusal } from "./filters.js";
import { fitMessage } from "./fit-message.js";
import type { NodeState } from "./node-state.js";
import { priorityOf, type ReadPod } from "./scheduler-objects.js";

type ReadBudget = ReadOf<typeof PodDisruptionBudget>;

/** What is said of a pod for which others are already going. */
export const waitingForVictims = "not eligible due to terminating pod on the nominated node.";

/** Who has to go for a pod, and from where. */
export interface Preemption {
  readonly node: NodeState;
  readonly victims: readonly ReadPod[];
}

/** What is asked. */
export interface PreemptionQuestion {
  readonly pod: ReadPod;
  readonly nodes: readonly NodeState[];
  /** Why each node refused the pod; those that are not there were not asked. */
  readonly refusals: ReadonlyMap<NodeState, Refusal>;
  /** Makes the filters anew, for the pods that are on the nodes at that moment. */
  readonly filters: () => Filter;
  readonly budgets: readonly ReadBudget[];
}

/**
 * Finds the pods of lower priority whose going lets a pod fit, and the node on which that does the least harm: fewest broken budgets, then lowest
 * priorities, then fewest pods. Gives a text where there is none, in a scheduler's words.
 */
export function findPreemption(question: PreemptionQuestion): Preemption | string {
  const { pod, nodes, refusals } = question;
  if (pod.spec?.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const nominated = nodes.find(({ name }) => name === pod.status?.nominatedNodeName);
  const isGoing = ({ metadata, ...other }: ReadPod): boolean =>
    metadata.deletionTimestamp !== undefined && (other.spec?.priority ?? 0) < priorityOf(pod);
  if (
    nominated !== undefined &&
    refusals.get(nominated)?.resolvable !== false &&
    [...nominated.pods.values()].some(isGoing)
  )
    return waitingForVictims;
  const reasons: string[] = [];
  const candidates: Candidate[] = [];
  for (const node of nodes) {
    if (refusals.get(node)?.resolvable !== true) {
      reasons.push("Preemption is not helpful for scheduling");
      continue;
    }
    const candidate = victimsOn(node, question);
    if (typeof candidate === "string") reasons.push(candidate);
    else candidates.push(candidate);
  }
  return candidates.sort(leastHarm)[0] ?? fitMessage(nodes.length, reasons);
}

interface Candidate extends Preemption {
  readonly brokenBudgets: number;
}

function victimsOn(node: NodeState, { pod, filters, budgets }: PreemptionQuestion): Candidate | string {
  const lower = [...node.pods.values()].filter((other) => priorityOf(other) < priorityOf(pod));
  if (lower.length === 0) return "No preemption victims found for incoming pod";
  for (const { metadata } of lower) node.remove(metadata.uid);
  try {
    const refusal = filters()(node);
    if (refusal !== undefined) return refusal.reasons.join(", ");
    // Whoever can stay, stays: first those whose budget their going would break, the most important ones first.
    const { breaking, others } = byBudget(lower, budgets);
    const victims: ReadPod[] = [];
    let brokenBudgets = 0;
    for (const [group, isBreaking] of [
      [breaking, true],
      [others, false],
    ] as const)
      for (const one of [...group].sort(moreImportant)) {
        node.put(one);
        if (filters()(node) === undefined) continue;
        node.remove(one.metadata.uid);
        victims.push(one);
        if (isBreaking) brokenBudgets++;
      }
    return { node, victims, brokenBudgets };
  } finally {
    for (const one of lower) node.put(one);
  }
}

/** Pods whose going would leave a budget with less than it allows, and the others. */
function byBudget(
  pods: readonly ReadPod[],
  budgets: readonly ReadBudget[],
): { readonly breaking: readonly ReadPod[]; readonly others: readonly ReadPod[] } {
  const left = budgets.map((budget) => ({
    budget,
    selector: labelSelectorFrom(budget.spec?.selector),
    allowed: budget.status?.disruptionsAllowed ?? 0,
  }));
  const breaking: ReadPod[] = [];
  const others: ReadPod[] = [];
  for (const pod of [...pods].sort(moreImportant)) {
    const { namespace, labels = {} } = pod.metadata;
    const concerned = left.filter(
      ({ budget, selector }) => budget.metadata.namespace === namespace && selector.matches(labels),
    );
    const isBreaking = concerned.filter((one) => one.allowed-- <= 0).length > 0;
    (isBreaking ? breaking : others).push(pod);
  }
  return { breaking, others };
}

function moreImportant(a: ReadPod, b: ReadPod): number {
  return priorityOf(b) - priorityOf(a) || startOf(a) - startOf(b);
}

function startOf({ status, metadata }: ReadPod): number {
  return Date.parse(status?.startTime ?? metadata.creationTimestamp ?? "") || 0;
}

function leastHarm(a: Candidate, b: Candidate): number {
  const highest = ({ victims }: Candidate): number => Math.max(...victims.map(priorityOf), Number.NEGATIVE_INFINITY);
  const sum = ({ victims }: Candidate): number =>
    victims.reduce((all, victim) => all + priorityOf(victim) + 2 ** 31, 0);
  const earliest = (one: Candidate): number =>
    Math.min(...one.victims.filter((victim) => priorityOf(victim) === highest(one)).map(startOf));
  return (
    a.brokenBudgets - b.brokenBudgets ||
    highest(a) - highest(b) ||
    sum(a) - sum(b) ||
    a.victims.length - b.victims.length ||
    earliest(b) - earliest(a)
  );
}
