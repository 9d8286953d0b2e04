import type { JsonObject } from "@kubewright/core/json";
import type { Store } from "../../../storage/index.js";
import { childDraft, type Draft, metadataOf, objectAt, textAt } from "../../draft.js";
import { classAnnotation } from "../core/persistent-volume-claim/storage-class-name.js";

/** The bucket of StorageClasses. */
const classesBucket = "storageclasses.storage.k8s.io";

/** DefaultStorageClass: sets the default StorageClass of a PersistentVolumeClaim that names none; of several, the newest. */
export function admitDefaultStorageClass(draft: Draft, store: Store): void {
  const spec = childDraft(draft, "spec");
  if (spec["storageClassName"] !== undefined) return;
  if (Object.hasOwn(objectAt(metadataOf(draft), "annotations"), classAnnotation)) return;
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
}

function isDefaultClass(metadata: JsonObject): boolean {
  const annotations = objectAt(metadata, "annotations");
  return ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"].some(
    (key) => annotations[key] === "true",
  );
}
