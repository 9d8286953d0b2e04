import type { JsonObject } from "@kubewright/core/json";
import type { Store } from "../../../storage/index.js";
import { forbidden } from "../../api-failure.js";
import { metadataOf, objectAt, textAt } from "../../draft.js";
import { requestedStorage } from "../core/persistent-volume-claim/requested-storage.js";
import { classOf } from "../core/persistent-volume-claim/storage-class-name.js";

/** The bucket of StorageClasses. */
const classesBucket = "storageclasses.storage.k8s.io";
const claims = { group: "", plural: "persistentvolumeclaims", kind: "PersistentVolumeClaim" };

/** PersistentVolumeClaimResize: a bound PersistentVolumeClaim grows only if its StorageClass allows volume expansion. */
export function validatePersistentVolumeClaimResize(claim: JsonObject, old: JsonObject, store: Store): void {
  if (
    textAt(objectAt(old, "status"), "phase") !== "Bound" ||
    requestedStorage(claim).compare(requestedStorage(old)) <= 0
  )
    return;
  const name = classOf(claim);
  const found = name === "" || name !== classOf(old) ? undefined : store.bucket(classesBucket).get(name)?.object;
  if (found?.["allowVolumeExpansion"] === true) return;
  throw forbidden(
    claims,
    textAt(metadataOf(claim), "name"),
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
  );
}
