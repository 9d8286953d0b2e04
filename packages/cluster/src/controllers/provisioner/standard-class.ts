import type { NewObject } from "kubewright";
import type { StorageClass } from "kubewright/k8s/storage/v1";

/** Who makes the volumes of a class: classes that name it get simulated ones. */
export const provisionerName = "simulation.kubewright.dev/storage";

/** The class of claims that name none: a volume on the node where the first pod runs that uses it, gone with its claim. */
export const standardClass: NewObject<typeof StorageClass> = {
  metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: provisionerName,
  reclaimPolicy: "Delete",
  volumeBindingMode: "WaitForFirstConsumer",
};
