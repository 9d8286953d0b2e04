import { classOf, forbidden, objectAt, requestedStorage, textAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";

/** The bucket of StorageClasses. */
const classesBucket = "storageclasses.storage.k8s.io";

/** PersistentVolumeClaimResize: a bound PersistentVolumeClaim grows only if its StorageClass allows volume expansion. */
export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: "PersistentVolumeClaimResize",
  resources: ["persistentvolumeclaims"],
  validate({ operation, subresource, resource, name, object, old }, { store }) {
    if (operation !== "UPDATE" || subresource !== "" || old === undefined) return;
    const isBound = textAt(objectAt(old, "status"), "phase") === "Bound";
    if (!isBound || requestedStorage(object).compare(requestedStorage(old)) <= 0) return;
    const className = classOf(object);
    const isSame = className !== "" && className === classOf(old);
    const found = isSame ? store.bucket(classesBucket).get(className)?.object : undefined;
    if (found?.["allowVolumeExpansion"] === true) return;
    const why =
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
    throw forbidden(resource, name, why);
  },
};
