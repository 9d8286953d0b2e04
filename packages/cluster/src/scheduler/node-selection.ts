import type { NodeState } from "./node-state.js";
import type { ReadNodeSelector, ReadPod, ReadTaint, ReadToleration } from "./scheduler-objects.js";

type Term = ReadNodeSelector["nodeSelectorTerms"][number];
type Requirement = NonNullable<Term["matchExpressions"]>[number];

/** Whether a node matches a Pod's nodeSelector and required node affinity. */
export function isSelected(pod: Pick<ReadPod, "spec">, { labels, name }: Pick<NodeState, "labels" | "name">): boolean {
  for (const [key, value] of Object.entries(pod.spec?.nodeSelector ?? {}))
    if (!Object.hasOwn(labels, key) || labels[key] !== value) return false;
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesSelector(required, labels, name);
}

/** Whether any term matches a node. An empty term matches none. */
export function matchesSelector(
  { nodeSelectorTerms }: ReadNodeSelector,
  labels: Readonly<Record<string, string>>,
  name: string,
): boolean {
  return nodeSelectorTerms.some((term) => matchesTerm(term, labels, name));
}

/** Whether a term matches a node. */
export function matchesTerm(term: Term, labels: Readonly<Record<string, string>>, name: string): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((one) => matches(one, Object.hasOwn(labels, one.key) ? labels[one.key] : undefined)) &&
    matchFields.every((one) => matches(one, one.key === "metadata.name" ? name : undefined))
  );
}

/** The node names that a Pod requires in matchFields, as DaemonSet Pods do; undefined if it does not. */
export function namedNodes(pod: ReadPod): ReadonlySet<string> | undefined {
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (terms === undefined || terms.length === 0) return undefined;
  const named = terms.map(({ matchFields = [] }) =>
    matchFields.filter(({ key, operator }) => key === "metadata.name" && operator === "In"),
  );
  if (named.some((fields) => fields.length === 0)) return undefined;
  return new Set(named.flat().flatMap(({ values = [] }) => values));
}

/** The first NoSchedule or NoExecute taint that a Pod does not tolerate. */
export function untolerated(pod: ReadPod, taints: readonly ReadTaint[]): ReadTaint | undefined {
  return taints.find((taint) => taint.effect !== "PreferNoSchedule" && !tolerates(pod.spec?.tolerations ?? [], taint));
}

/** Whether one of the tolerations tolerates a taint. */
export function tolerates(tolerations: readonly ReadToleration[], taint: ReadTaint): boolean {
  return tolerations.some(({ key = "", operator = "Equal", value = "", effect = "" }) => {
    if (effect !== "" && effect !== taint.effect) return false;
    if (key !== "" && key !== taint.key) return false;
    if (operator === "Exists") return true;
    return operator === "Equal" && key !== "" && value === (taint.value ?? "");
  });
}

function matches({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default: {
      const [bound, actual] = [Number(values[0]), Number(value)];
      if (value === undefined || !Number.isInteger(bound) || !Number.isInteger(actual)) return false;
      return operator === "Gt" ? actual > bound : actual < bound;
    }
  }
}
