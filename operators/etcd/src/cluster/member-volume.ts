import { PersistentVolumeClaim } from "kubewright/k8s/core/v1";
import { StorageClass } from "kubewright/k8s/storage/v1";
import type { ReadEtcdCluster } from "../resources/etcd-cluster.js";
import type { ReadVolumeClaim } from "./cluster-view.js";
import type { ClusterContext } from "./context.js";
import { clusterLabels } from "./names.js";

/** What new members store their data in. */
export type Storage =
  | { readonly kind: "volume"; readonly claim: { readonly [field: string]: unknown } }
  | { readonly kind: "ephemeral"; readonly reason: "OptedOut" | "NoDefaultStorageClass" };

const isDefault = "storageclass.kubernetes.io/is-default-class";

/** A PersistentVolumeClaim, unless the spec opts out, or says nothing in a cluster that would never bind it. */
export async function storageOf({ spec }: ReadEtcdCluster, { list }: Pick<ClusterContext, "list">): Promise<Storage> {
  const { storage, pod } = spec;
  if (pod?.persistentVolumeClaimSpec !== undefined) return { kind: "volume", claim: pod.persistentVolumeClaimSpec };
  if (storage?.ephemeral === true) return { kind: "ephemeral", reason: "OptedOut" };
  const classes = await list(StorageClass);
  const hasDefault = classes.some(({ metadata }) => metadata.annotations?.[isDefault] === "true");
  if (storage?.ephemeral === undefined && storage?.storageClassName === undefined && !hasDefault)
    return { kind: "ephemeral", reason: "NoDefaultStorageClass" };
  return {
    kind: "volume",
    claim: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: storage?.size ?? "1Gi" } },
      ...(storage?.storageClassName !== undefined && { storageClassName: storage.storageClassName }),
    },
  };
}

/** Creates the PersistentVolumeClaim of a member, once. It has the member's name. */
export function ensureVolume(
  context: ClusterContext,
  member: string,
  claim: { readonly [field: string]: unknown },
): Promise<ReadVolumeClaim> {
  const { name } = context.object.metadata;
  return context.ensure(PersistentVolumeClaim, member, () => ({
    metadata: { labels: { ...clusterLabels(name), etcd_node: member } },
    spec: claim,
  }));
}
