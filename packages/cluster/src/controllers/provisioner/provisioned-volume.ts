import type { NewObject, ReadOf } from "kubewright";
import type { Node, PersistentVolume, PersistentVolumeSpec } from "kubewright/k8s/core/v1";
import type { StorageClass } from "kubewright/k8s/storage/v1";
import { provisionedBy, type ReadPvc } from "../../volume-binding/index.js";

/** The label of the node of a PV. */
const hostname = "kubernetes.io/hostname";

/** A PVC, and what is known of its PV. */
interface VolumeRequest {
  readonly claim: ReadPvc;
  readonly storageClass: ReadOf<typeof StorageClass>;
  readonly provisioner: string;
  /** The node that has the storage; undefined if all nodes reach it. */
  readonly node: ReadOf<typeof Node> | undefined;
}

/** The name of the PV of a PVC. */
export function volumeOf({ metadata: { uid } }: ReadPvc): string {
  return `pvc-${uid}`;
}

/** The PV of a PVC, with its storage. */
export function provisionedVolume(
  { claim, storageClass, provisioner, node }: VolumeRequest,
  storage: Partial<PersistentVolumeSpec>,
): NewObject<typeof PersistentVolume> {
  const { metadata, spec } = claim;
  const { namespace = "", name, uid, resourceVersion } = metadata;
  const { reclaimPolicy = "Delete", mountOptions } = storageClass;
  return {
    metadata: { name: volumeOf(claim), annotations: { [provisionedBy]: provisioner } },
    spec: {
      capacity: { storage: spec?.resources?.requests?.["storage"] ?? "0" },
      accessModes: [...(spec?.accessModes ?? [])],
      volumeMode: spec?.volumeMode ?? "Filesystem",
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClass.metadata.name,
      ...(mountOptions && { mountOptions: [...mountOptions] }),
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion },
      ...storage,
      ...(node && {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: hostname, operator: "In", values: [node.metadata.labels?.[hostname] ?? node.metadata.name] },
                ],
              },
            ],
          },
        },
      }),
    },
  };
}
