import type { NewObject, ReadOf } from "kubewright";
import type { Node, PersistentVolume } from "kubewright/k8s/core/v1";
import type { StorageClass } from "kubewright/k8s/storage/v1";
import { provisionedBy, type ReadPvc } from "../../volume-binding/index.js";
import { provisionerName } from "./standard-class.js";

const hostname = "kubernetes.io/hostname";

/** The PV for a PVC: bound to a node for WaitForFirstConsumer, else accessible from all nodes. */
export function provisionedVolume(
  { metadata, spec }: ReadPvc,
  storageClass: ReadOf<typeof StorageClass>,
  node: ReadOf<typeof Node> | undefined,
): NewObject<typeof PersistentVolume> {
  const { namespace = "", name, uid, resourceVersion } = metadata;
  const volume = `pvc-${uid}`;
  const { reclaimPolicy = "Delete", mountOptions } = storageClass;
  return {
    metadata: { name: volume, annotations: { [provisionedBy]: provisionerName } },
    spec: {
      capacity: { storage: spec?.resources?.requests?.["storage"] ?? "0" },
      accessModes: [...(spec?.accessModes ?? [])],
      volumeMode: spec?.volumeMode ?? "Filesystem",
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClass.metadata.name,
      ...(mountOptions && { mountOptions: [...mountOptions] }),
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion },
      hostPath: { path: `/var/simulated-volumes/${volume}_${namespace}_${name}`, type: "DirectoryOrCreate" },
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
