import { labelSelectorFrom } from "@kubewright/core/selector";
import type { NodeState } from "./node-state.js";
import type { ReadAffinityTerm, ReadPod } from "./scheduler-objects.js";

/** The labels of a namespace. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>>;

/** Which pods a term of an affinity is about. */
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

/** Where the nodes are on which there is a pod of a term: the values of its topology key. */
type Domains = ReadonlySet<string>;

/** What affinities between pods say about where one pod can be: asked once per pod, answered for each node. */
export class PodAffinityQuestion {
  readonly #wanted: readonly { readonly term: Term; readonly domains: Domains }[];
  readonly #unwanted: readonly { readonly term: Term; readonly domains: Domains }[];
  /** Topology keys and values that pods which are there keep this one from. */
  readonly #repelled: ReadonlyMap<string, Domains>;
  readonly #isFirst: boolean;

  constructor(pod: ReadPod, nodes: readonly NodeState[], labelsOf: NamespaceLabels) {
    const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
    const terms = (given: readonly ReadAffinityTerm[] | undefined): Term[] =>
      (given ?? []).map((term) => new Term(term, pod, labelsOf));
    const wanted = terms(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
    const unwanted = terms(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
    // A pod counts for affinity only if it fits all terms at once.
    const fitsAll = (other: ReadPod): boolean => wanted.every((term) => term.matches(other));
    this.#wanted = wanted.map((term) => ({ term, domains: domainsOf(nodes, term.topologyKey, fitsAll) }));
    this.#unwanted = unwanted.map((term) => ({
      term,
      domains: domainsOf(nodes, term.topologyKey, (other) => term.matches(other)),
    }));
    // The first pod of a group that wants to be together must be somewhere.
    this.#isFirst = wanted.length > 0 && fitsAll(pod) && this.#wanted.every(({ domains }) => domains.size === 0);
    this.#repelled = repelledFrom(pod, nodes, labelsOf);
  }

  /** Why the pod cannot be on a node, in a scheduler's words; undefined when it can. */
  check({ labels }: NodeState): { readonly reason: string; readonly resolvable: boolean } | undefined {
    for (const { term, domains } of this.#wanted) {
      const value = labels[term.topologyKey];
      if (value === undefined || !(domains.has(value) || this.#isFirst))
        return { reason: "node(s) didn't match pod affinity rules", resolvable: false };
    }
    for (const { term, domains } of this.#unwanted) {
      const value = labels[term.topologyKey];
      if (value !== undefined && domains.has(value))
        return { reason: "node(s) didn't match pod anti-affinity rules", resolvable: true };
    }
    for (const [key, domains] of this.#repelled) {
      const value = labels[key];
      if (value !== undefined && domains.has(value))
        return { reason: "node(s) didn't satisfy existing pods anti-affinity rules", resolvable: true };
    }
    return undefined;
  }
}

/** How much the preferences of a pod are for a node: the weights of those that hold there. */
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
          for (const there of other.pods.values()) if (term.matches(there)) sum += sign * weight;
    }
  return sum;
}

function domainsOf(nodes: readonly NodeState[], key: string, isMeant: (pod: ReadPod) => boolean): Domains {
  const domains = new Set<string>();
  for (const { labels, pods } of nodes) {
    const value = labels[key];
    if (value === undefined || domains.has(value)) continue;
    for (const pod of pods.values())
      if (isMeant(pod)) {
        domains.add(value);
        break;
      }
  }
  return domains;
}

function repelledFrom(
  pod: ReadPod,
  nodes: readonly NodeState[],
  labelsOf: NamespaceLabels,
): ReadonlyMap<string, Domains> {
  const repelled = new Map<string, Set<string>>();
  for (const { labels, repelling } of nodes)
    for (const other of repelling)
      for (const given of other.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
        const term = new Term(given, other, labelsOf);
        const value = labels[term.topologyKey];
        if (value === undefined || !term.matches(pod)) continue;
        const values = repelled.get(term.topologyKey) ?? new Set();
        repelled.set(term.topologyKey, values.add(value));
      }
  return repelled;
}
