import { labelSelectorFrom } from "@kubewright/core/selector";
import type { NodeState } from "./node-state.js";
import type { ReadAffinityTerm, ReadPod } from "./scheduler-objects.js";

/** The labels of a namespace. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>>;

/** The Pods that an affinity term selects. */
class Term {
  readonly topologyKey: string;
  readonly #matches: (pod: ReadPod) => boolean;

  constructor(term: ReadAffinityTerm, owner: ReadPod, labelsOf: NamespaceLabels) {
    this.topologyKey = term.topologyKey;
    const selector = labelSelectorFrom(term.labelSelector);
    const namespaces = new Set(term.namespaces);
    const byLabels = term.namespaceSelector === undefined ? undefined : labelSelectorFrom(term.namespaceSelector);
    if (namespaces.size === 0 && byLabels === undefined) namespaces.add(owner.metadata.namespace ?? "");
    this.#matches = ({ metadata: { namespace = "", labels = {} } }) =>
      (namespaces.has(namespace) || byLabels?.matches(labelsOf(namespace)) === true) && selector.matches(labels);
  }

  matches(pod: ReadPod): boolean {
    return this.#matches(pod);
  }
}

/** The values of a topology key on nodes that run a Pod of a term. */
type Domains = ReadonlySet<string>;

/** Inter-pod affinity and anti-affinity of one Pod, computed once and checked for each node. */
export class InterPodAffinity {
  readonly #affinityTerms: readonly { readonly term: Term; readonly domains: Domains }[];
  readonly #antiAffinityTerms: readonly { readonly term: Term; readonly domains: Domains }[];
  /** Topology keys and values that the anti-affinity of existing Pods excludes. */
  readonly #excludedDomains: ReadonlyMap<string, Domains>;
  readonly #isFirst: boolean;

  constructor(pod: ReadPod, nodes: readonly NodeState[], labelsOf: NamespaceLabels) {
    const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
    const terms = (given: readonly ReadAffinityTerm[] | undefined): Term[] =>
      (given ?? []).map((term) => new Term(term, pod, labelsOf));
    const affinityTerms = terms(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
    const antiAffinityTerms = terms(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
    // A Pod counts for affinity only if it matches all terms.
    const matchesAll = (other: ReadPod): boolean => affinityTerms.every((term) => term.matches(other));
    this.#affinityTerms = affinityTerms.map((term) => ({
      term,
      domains: domainsOf(nodes, term.topologyKey, matchesAll),
    }));
    this.#antiAffinityTerms = antiAffinityTerms.map((term) => ({
      term,
      domains: domainsOf(nodes, term.topologyKey, (other) => term.matches(other)),
    }));
    // The first Pod of a group with self-affinity may be scheduled anywhere.
    this.#isFirst =
      affinityTerms.length > 0 && matchesAll(pod) && this.#affinityTerms.every(({ domains }) => domains.size === 0);
    this.#excludedDomains = excludedByExisting(pod, nodes, labelsOf);
  }

  /** kube-scheduler's reason why the Pod does not fit on a node; undefined if it fits. */
  check({ labels }: NodeState): { readonly reason: string; readonly resolvable: boolean } | undefined {
    for (const { term, domains } of this.#affinityTerms) {
      const value = labels[term.topologyKey];
      if (value === undefined || !(domains.has(value) || this.#isFirst))
        return { reason: "node(s) didn't match pod affinity rules", resolvable: false };
    }
    for (const { term, domains } of this.#antiAffinityTerms) {
      const value = labels[term.topologyKey];
      if (value !== undefined && domains.has(value))
        return { reason: "node(s) didn't match pod anti-affinity rules", resolvable: true };
    }
    for (const [key, domains] of this.#excludedDomains) {
      const value = labels[key];
      if (value !== undefined && domains.has(value))
        return { reason: "node(s) didn't satisfy existing pods anti-affinity rules", resolvable: true };
    }
    return undefined;
  }
}

/** The score of preferred inter-pod affinity: the sum of the weights of matching terms. */
export function affinityPreference(
  pod: ReadPod,
  node: NodeState,
  nodes: readonly NodeState[],
  labelsOf: NamespaceLabels,
): number {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  let sum = 0;
  for (const [preferred, sign] of [
    [podAffinity?.preferredDuringSchedulingIgnoredDuringExecution, 1],
    [podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution, -1],
  ] as const)
    for (const { weight, podAffinityTerm } of preferred ?? []) {
      const term = new Term(podAffinityTerm, pod, labelsOf);
      const value = node.labels[term.topologyKey];
      if (value === undefined) continue;
      for (const other of nodes)
        if (other.labels[term.topologyKey] === value)
          for (const existing of other.pods.values()) if (term.matches(existing)) sum += sign * weight;
    }
  return sum;
}

function domainsOf(nodes: readonly NodeState[], key: string, matches: (pod: ReadPod) => boolean): Domains {
  const domains = new Set<string>();
  for (const { labels, pods } of nodes) {
    const value = labels[key];
    if (value === undefined || domains.has(value)) continue;
    for (const pod of pods.values())
      if (matches(pod)) {
        domains.add(value);
        break;
      }
  }
  return domains;
}

function excludedByExisting(
  pod: ReadPod,
  nodes: readonly NodeState[],
  labelsOf: NamespaceLabels,
): ReadonlyMap<string, Domains> {
  const excludedDomains = new Map<string, Set<string>>();
  for (const { labels, podsWithAntiAffinity } of nodes)
    for (const other of podsWithAntiAffinity)
      for (const given of other.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
        const term = new Term(given, other, labelsOf);
        const value = labels[term.topologyKey];
        if (value === undefined || !term.matches(pod)) continue;
        const values = excludedDomains.get(term.topologyKey) ?? new Set();
        excludedDomains.set(term.topologyKey, values.add(value));
      }
  return excludedDomains;
}
