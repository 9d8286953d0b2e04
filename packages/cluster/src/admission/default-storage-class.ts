import type { JsonObject } from "@kubewright/core/json";
import { childDraft, classAnnotation, metadataOf, objectAt, textAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";

/** The bucket of StorageClasses. */
const classesBucket = "storageclasses.storage.k8s.io";

/** DefaultStorageClass: sets the default StorageClass of a PersistentVolumeClaim that names none; of several, the newest. */
export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  resources: ["persistentvolumeclaims"],
  mutate({ operation, subresource, object }, { store }) {
    if (operation !== "CREATE" || subresource !== "") return;
    const spec = childDraft(object, "spec");
    if (spec["storageClassName"] !== undefined) return;
    if (Object.hasOwn(objectAt(metadataOf(object), "annotations"), classAnnotation)) return;
    const defaults = [...store.bucket(classesBucket).list()]
      .map(({ object }) => metadataOf(object))
      .filter(isDefaultClass);
    defaults.sort(
      (a, b) =>
        textAt(b, "creationTimestamp").localeCompare(textAt(a, "creationTimestamp")) ||
        textAt(a, "name").localeCompare(textAt(b, "name")),
    );
    const [chosen] = defaults;
    if (chosen) spec["storageClassName"] = textAt(chosen, "name");
  },
};

function isDefaultClass(metadata: JsonObject): boolean {
  const annotations = objectAt(metadata, "annotations");
  return ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"].some(
    (key) => annotations[key] === "true",
  );
}
