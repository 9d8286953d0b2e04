import type { NewObject } from "kubewright";
import type { StorageClass } from "kubewright/k8s/storage/v1";

/** The provisioner of simulated volumes. */
export const provisionerName = "simulation.kubewright.dev/storage";

/** The default StorageClass: node-local volumes that are deleted with their PVC. */
export const standardClass: NewObject<typeof StorageClass> = {
  metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: provisionerName,
  reclaimPolicy: "Delete",
  volumeBindingMode: "WaitForFirstConsumer",
};
