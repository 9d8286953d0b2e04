import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../../columns.js";
import { childDraft, keepFrom, metadataOf, objectAt, partAt, setDefault, textAt } from "../../../draft.js";
import { subdomainName } from "../../../name-rules.js";
import type { Strategy } from "../../../strategy.js";
import { changedPaths, type Errors, immutable, quantityOf } from "../../../validation/index.js";
import { keepOtherPart } from "../../spec-and-status.js";
import { phaseColumn, printAccessModes, specOrUnset } from "../persistent-volume-claim/persistent-volume-claim.js";
import { classOf } from "../persistent-volume-claim/storage-class-name.js";
import { applySourceDefaults } from "../pod-spec/index.js";
import { checkVolumeSpec, sourceOf } from "./check-volume-spec.js";

/** PersistentVolume: the source is immutable. */
export const persistentVolumeStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    setDefault(childDraft(draft, "status"), "phase", "Pending");
    setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
    spec["volumeMode"] ??= "Filesystem";
    applySourceDefaults(spec);
  },
  prepareForCreate(draft) {
    draft["status"] = {
      phase: "Pending",
      lastPhaseTransitionTime: textAt(metadataOf(draft), "creationTimestamp"),
    };
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    const { subresource, time } = context;
    if (subresource !== "status") return;
    const status = childDraft(draft, "status");
    const before = objectAt(old, "status");
    const key = "lastPhaseTransitionTime";
    const isSame = status["phase"] === before["phase"];
    if (isSame && status[key] === undefined) keepFrom(status, before, key);
    else if (!isSame && (status[key] === undefined || status[key] === before[key])) status[key] = time;
  },
  validate(object, old, { subresource }) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    const name = textAt(metadataOf(object), "name");
    checkVolumeSpec(spec, { field: "spec", name, isInline: false, errors });
    if (old) checkChanged(spec, objectAt(old, "spec"), errors);
    return errors;
  },
  warn: (object) =>
    textAt(objectAt(object, "spec"), "persistentVolumeReclaimPolicy") === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : [],
  selectableFields: { name: (object) => textAt(metadataOf(object), "name") },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      {
        name: "Capacity",
        type: "string",
        cell: (object) => quantityOf(objectAt(objectAt(object, "spec"), "capacity")["storage"] ?? "0").toString(),
      },
      { name: "Access Modes", type: "string", cell: (object) => printAccessModes(objectAt(object, "spec")) },
      {
        name: "Reclaim Policy",
        type: "string",
        cell: (object) => textAt(objectAt(object, "spec"), "persistentVolumeReclaimPolicy"),
      },
      phaseColumn,
      { name: "Claim", type: "string", cell: printClaim },
      { name: "StorageClass", type: "string", cell: classOf },
      specOrUnset("VolumeAttributesClass", "volumeAttributesClassName"),
      { name: "Reason", type: "string", cell: (object) => textAt(objectAt(object, "status"), "reason") },
      ageColumn,
      specOrUnset("VolumeMode", "volumeMode", 1),
    ],
  },
};

function printClaim(object: JsonObject): string {
  const claim = partAt(objectAt(object, "spec"), "claimRef");
  return claim ? `${textAt(claim, "namespace")}/${textAt(claim, "name")}` : "";
}

function checkChanged(spec: JsonObject, before: JsonObject, errors: Errors): void {
  const [now, then] = [sourceOf(withoutNewSecret(spec, before)), sourceOf(before)];
  if (!deepEqual(now, then)) {
    const why = "spec.persistentvolumesource is immutable after creation";
    errors.push(forbidden("spec.persistentvolumesource", `${why}: ${changedPaths(then, now, "spec")}`));
  }
  if (spec["volumeMode"] !== before["volumeMode"])
    errors.push(invalid("volumeMode", textAt(spec, "volumeMode"), immutable));
  const [affinity, earlier] = [spec["nodeAffinity"] ?? null, before["nodeAffinity"] ?? null];
  if (earlier !== null && !deepEqual(affinity, earlier))
    errors.push(invalid("nodeAffinity", affinity, "field is immutable, except for updating from beta label to GA"));
  if (before["volumeAttributesClassName"] !== undefined && spec["volumeAttributesClassName"] === undefined)
    errors.push(forbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden"));
}

/** controllerExpandSecretRef may be added later. */
function withoutNewSecret(spec: JsonObject, before: JsonObject): JsonObject {
  const [driver, earlier] = [partAt(spec, "csi"), partAt(before, "csi")];
  if (!driver || !earlier || earlier["controllerExpandSecretRef"] !== undefined) return spec;
  const { controllerExpandSecretRef: _, ...rest } = driver;
  return { ...spec, csi: rest };
}
