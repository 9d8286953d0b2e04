import { OperatorError } from "@kubewright/core/errors";
import type { AnyKind, Kind } from "./kind.js";

/** The handle that {@link ofCluster} returns: of the same resource on another API server, and another kind for the compiler and for a cache. */
export interface ClusterKind<Name extends string, K extends AnyKind>
  extends Kind<`${Name}:${K["id"]}`, K["scope"], NonNullable<K["~types"]>> {
  readonly cluster: Name;
}

/**
 * The same kind in another cluster, for controllers that work with more than one: it can stand wherever a kind stands, and is read, watched
 * and written on the API server that the operator is started with under that name (`clusters`).
 *
 * Children must be in their owner's cluster: owner references mean nothing beyond it.
 *
 * @example
 * const EdgeConfigMap = ofCluster("edge", ConfigMap);
 * controller(Website, { watches: [watch(EdgeConfigMap, { to: ({ metadata }) => metadata.name })], reconcile });
 */
export function ofCluster<const Name extends string, K extends AnyKind>(cluster: Name, kind: K): ClusterKind<Name, K> {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(cluster)) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot name a cluster "${cluster}": a name is made of lower case letters, digits and dashes`,
    );
  }
  return Object.freeze({ ...kind, id: `${cluster}:${kind.id}` as const, cluster }) as unknown as ClusterKind<Name, K>;
}

/** `kind` in the cluster where objects of `other` are. */
export function besides<K extends AnyKind>(other: AnyKind, kind: K): K {
  // Only the address differs; whoever asks for this knows the kind's types.
  return other.cluster === undefined ? kind : (ofCluster(other.cluster, kind) as unknown as K);
}

/** What paths to a kind's API server begin with: nothing for the operator's own cluster. */
export function clusterPath({ cluster }: AnyKind): string {
  return cluster === undefined ? "" : `/clusters/${cluster}`;
}
