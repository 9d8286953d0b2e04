import type { JsonObject } from "@kubewright/core/json";
import { metadataOf, objectAt, textAt } from "../../../draft.js";

/** The annotation in which older clients name the StorageClass. */
export const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** The StorageClass of a PersistentVolume or PersistentVolumeClaim. */
export function classOf(object: JsonObject): string {
  const annotated = textAt(objectAt(metadataOf(object), "annotations"), classAnnotation);
  return annotated || textAt(objectAt(object, "spec"), "storageClassName");
}
