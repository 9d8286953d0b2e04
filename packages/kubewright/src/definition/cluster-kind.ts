import { OperatorError } from "@kubewright/core/errors";
import type { AnyKind, Kind } from "./kind.js";

/** The kind that {@link ofCluster} returns: the same resource on another API server, with its own type and its own cache. */
export interface ClusterKind<Name extends string, K extends AnyKind>
  extends Kind<`${Name}:${K["id"]}`, K["scope"], NonNullable<K["~types"]>> {
  readonly cluster: Name;
}

/**
 * The same kind in another cluster, for multi-cluster controllers. It is accepted wherever a kind is, and is read, watched and written on the
 * API server that the operator's `clusters` option has under that name.
 *
 * Children must be in their owner's cluster: owner references do not cross clusters.
 *
 * @example
 * const EdgeConfigMap = ofCluster("edge", ConfigMap);
 * controller(Website, { watches: [watch(EdgeConfigMap, { to: ({ metadata }) => metadata.name })], reconcile });
 */
export function ofCluster<const Name extends string, K extends AnyKind>(cluster: Name, kind: K): ClusterKind<Name, K> {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(cluster)) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot name a cluster "${cluster}": a name consists of lower case letters, digits and dashes`,
    );
  }
  return Object.freeze({ ...kind, id: `${cluster}:${kind.id}` as const, cluster }) as unknown as ClusterKind<Name, K>;
}

/** `kind` in the cluster of `other`. */
export function besides<K extends AnyKind>(other: AnyKind, kind: K): K {
  // Only the API server differs, so the kind's types stay the same.
  return other.cluster === undefined ? kind : (ofCluster(other.cluster, kind) as unknown as K);
}

/** The path prefix of a kind's API server; empty for the operator's own cluster. */
export function clusterPath({ cluster }: AnyKind): string {
  return cluster === undefined ? "" : `/clusters/${cluster}`;
}
