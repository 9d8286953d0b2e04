import { childDraft, classAnnotation, metadataOf, objectAt } from "../registry/index.js";
import { defaultClassName } from "./default-class.js";
import type { AdmissionPlugin } from "./plugin.js";

/** The bucket of StorageClasses. */
const classesBucket = "storageclasses.storage.k8s.io";

const defaultAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

/** DefaultStorageClass: sets the default StorageClass of a PersistentVolumeClaim that names none; of several, the newest. */
export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  resources: ["persistentvolumeclaims"],
  mutate({ operation, subresource, object }, { store }) {
    if (operation !== "CREATE" || subresource !== "") return;
    const spec = childDraft(object, "spec");
    if (spec["storageClassName"] !== undefined) return;
    if (Object.hasOwn(objectAt(metadataOf(object), "annotations"), classAnnotation)) return;
    const chosen = defaultClassName(store.bucket(classesBucket), defaultAnnotations);
    if (chosen !== undefined) spec["storageClassName"] = chosen;
  },
};
