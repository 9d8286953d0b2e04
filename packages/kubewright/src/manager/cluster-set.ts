import { OperatorError } from "@kubewright/core/errors";
import type { Transport } from "@kubewright/core/transport";
import type { AnyController } from "../reconcile/index.js";
import { ClustersTransport, unknownCluster } from "./clusters-transport.js";
import type { StartCluster, StartOptions } from "./start-options.js";

/** Puts metrics and spans around the transport to a cluster; `host` is the label of its metrics. */
export type WrapTransport = (transport: Transport, host: string) => Transport;

/** The clusters of an operator: its own, and named ones, which can be added and removed. */
export class ClusterSet {
  /** Reaches all of them. */
  readonly transport: Transport;
  /** The watched namespaces by cluster; "" is the operator's own. All namespaces where a cluster is missing. */
  readonly namespaces = new Map<string, readonly string[]>();
  readonly #others = new Map<string, Transport>();
  readonly #wrap: WrapTransport;

  constructor({ transport, namespace, clusters = {} }: StartOptions, wrap: WrapTransport) {
    this.#wrap = wrap;
    this.transport = new ClustersTransport(wrap(transport, transport.host ?? "api-server"), this.#others);
    this.#see("", namespace);
    for (const [name, cluster] of Object.entries(clusters)) this.add(name, cluster);
  }

  /** Throws CONFIG_INVALID when the name is taken. */
  add(name: string, { transport, namespace }: StartCluster): void {
    if (this.#others.has(name))
      throw new OperatorError("CONFIG_INVALID", `Cannot add cluster "${name}": the name is taken`);
    this.#others.set(name, this.#wrap(transport, transport.host ?? name));
    this.#see(name, namespace);
  }

  remove(name: string): void {
    this.#others.delete(name);
    this.namespaces.delete(name);
  }

  /** Throws CONFIG_INVALID when a controller uses an unknown cluster. */
  require(controller: AnyController): void {
    for (const name of clustersOf(controller)) if (!this.#others.has(name)) throw unknownCluster(name);
  }

  #see(name: string, namespace: StartCluster["namespace"]): void {
    if (namespace === undefined) return;
    const namespaces = typeof namespace === "string" ? [namespace] : namespace;
    requireNamespaces(namespaces);
    this.namespaces.set(name, namespaces);
  }
}

/** Throws CONFIG_INVALID for a name that no namespace can have: a watch of it would wait forever. */
function requireNamespaces(namespaces: readonly string[]): void {
  const fail = (why: string): OperatorError => new OperatorError("CONFIG_INVALID", `Cannot start: ${why}`);
  if (namespaces.length === 0) throw fail("`namespace` is an empty list; leave it out to watch all namespaces");
  for (const name of namespaces) {
    if (name === "") throw fail('`namespace` is ""; leave it out to watch all namespaces');
    if (name.length > 63 || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name))
      throw fail(
        `\`namespace\` is "${name}", which is no name of a namespace: at most 63 lower case letters, digits and dashes, without a dash at either end`,
      );
  }
}

/** The names of the other clusters that a controller uses. */
export function clustersOf({ kind, owns, manages, uses, watches }: AnyController): Set<string> {
  const kinds = [
    ...(kind ? [kind] : []),
    ...owns,
    ...manages,
    ...uses.map((use) => use.kind),
    ...watches.map((watch) => watch.kind),
  ];
  return new Set(kinds.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster])));
}
