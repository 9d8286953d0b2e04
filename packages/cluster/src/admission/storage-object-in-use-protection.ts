import { childDraft, textsAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
  persistentvolumes: "kubernetes.io/pv-protection",
  "volumeattributesclasses.storage.k8s.io": "kubernetes.io/vac-protection",
};

/** StorageObjectInUseProtection: adds the protection finalizer to PersistentVolumeClaims, PersistentVolumes and VolumeAttributesClasses. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  resources: Object.keys(finalizers),
  mutate({ operation, subresource, resource, object }) {
    if (operation !== "CREATE" || subresource !== "") return;
    const finalizer = finalizers[resource.bucket] ?? "";
    const metadata = childDraft(object, "metadata");
    const present = textsAt(metadata, "finalizers");
    if (!present.includes(finalizer)) metadata["finalizers"] = [...present, finalizer];
  },
};
