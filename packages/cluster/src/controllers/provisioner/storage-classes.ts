import type { NewObject } from "kubewright";
import type { StorageClass } from "kubewright/k8s/storage/v1";

/** The provisioner of volumes on simulated nodes. */
export const simulatedProvisioner = "simulation.kubewright.dev/storage";

/** The provisioner of volumes in a folder of a real node. */
export const localProvisioner = "kubewright.dev/local";

/** Marks the StorageClass of PVCs that name none. */
export const isDefaultClass = "storageclass.kubernetes.io/is-default-class";

/** Node-local volumes that are deleted with their PVC. */
function nodeLocalClass(name: string, provisioner: string, isDefault: boolean): NewObject<typeof StorageClass> {
  return {
    metadata: { name, ...(isDefault && { annotations: { [isDefaultClass]: "true" } }) },
    provisioner,
    reclaimPolicy: "Delete",
    volumeBindingMode: "WaitForFirstConsumer",
  };
}

/** The default StorageClass of a cluster with simulated nodes. */
export const standardClass: NewObject<typeof StorageClass> = nodeLocalClass("standard", simulatedProvisioner, true);

/** The StorageClass of real nodes. */
export function localClass(isDefault: boolean): NewObject<typeof StorageClass> {
  return nodeLocalClass("local", localProvisioner, isDefault);
}
