import { deepEqual } from "@kubewright/core/json";
import { forbidden, invalid } from "@kubewright/core/schema";
import type { PersistentVolume, PersistentVolumeSpec } from "kubewright/k8s/core/v1";
import { ageColumn, nameColumn } from "../../../columns.js";
import type { Decoded } from "../../../decoded.js";
import { childDraft, keepFrom } from "../../../draft.js";
import { subdomainName } from "../../../name-rules.js";
import type { Strategy } from "../../../strategy.js";
import { changedPaths, type Errors, immutable, quantityOf } from "../../../validation/index.js";
import { keepOtherPart } from "../../spec-and-status.js";
import { phaseColumn, printAccessModes } from "../persistent-volume-claim/persistent-volume-claim.js";
import { classOf } from "../persistent-volume-claim/storage-class-name.js";
import { applySourceDefaults } from "../pod-spec/index.js";
import { checkVolumeSpec, sourceOf } from "./check-volume-spec.js";

/** PersistentVolume. The volume source is immutable. */
export const persistentVolumeStrategy: Strategy<PersistentVolume> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    childDraft(draft, "status").phase ||= "Pending";
    spec.persistentVolumeReclaimPolicy ||= "Retain";
    spec.volumeMode ??= "Filesystem";
    applySourceDefaults(spec);
  },
  prepareForCreate(draft) {
    draft.status = { phase: "Pending", lastPhaseTransitionTime: draft.metadata?.creationTimestamp ?? "" };
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    const { subresource, time } = context;
    if (subresource !== "status") return;
    const status = childDraft(draft, "status");
    const before = old.status ?? {};
    const key = "lastPhaseTransitionTime";
    const isSame = status.phase === before.phase;
    if (isSame && status[key] === undefined) keepFrom(status, before, key);
    else if (!isSame && (status[key] === undefined || status[key] === before[key])) status[key] = time;
  },
  validate(object, old, { subresource }) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    const spec = object.spec ?? {};
    checkVolumeSpec(spec, { field: "spec", name: object.metadata?.name ?? "", isInline: false, errors });
    if (old) checkChanged(spec, old.spec ?? {}, errors);
    return errors;
  },
  warn: (object) =>
    object.spec?.persistentVolumeReclaimPolicy === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : [],
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      {
        name: "Capacity",
        type: "string",
        cell: (object) => quantityOf(object.spec?.capacity?.["storage"] ?? "0").toString(),
      },
      { name: "Access Modes", type: "string", cell: (object) => printAccessModes(object.spec?.accessModes) },
      { name: "Reclaim Policy", type: "string", cell: (object) => object.spec?.persistentVolumeReclaimPolicy },
      phaseColumn,
      { name: "Claim", type: "string", cell: printClaim },
      { name: "StorageClass", type: "string", cell: classOf },
      {
        name: "VolumeAttributesClass",
        type: "string",
        cell: (object) => object.spec?.volumeAttributesClassName ?? "<unset>",
      },
      { name: "Reason", type: "string", cell: (object) => object.status?.reason ?? "" },
      ageColumn,
      {
        name: "VolumeMode",
        type: "string",
        priority: 1,
        cell: (object) => object.spec?.volumeMode ?? "<unset>",
      },
    ],
  },
};

function printClaim(object: Decoded<PersistentVolume>): string {
  const claim = object.spec?.claimRef;
  return claim ? `${claim.namespace ?? ""}/${claim.name ?? ""}` : "";
}

function checkChanged(
  spec: Decoded<PersistentVolumeSpec>,
  before: Decoded<PersistentVolumeSpec>,
  errors: Errors,
): void {
  const [now, then] = [sourceOf(withoutNewSecret(spec, before)), sourceOf(before)];
  if (!deepEqual(now, then)) {
    const why = "spec.persistentvolumesource is immutable after creation";
    errors.push(forbidden("spec.persistentvolumesource", `${why}: ${changedPaths(then, now, "spec")}`));
  }
  if (spec.volumeMode !== before.volumeMode) errors.push(invalid("volumeMode", spec.volumeMode ?? "", immutable));
  const { nodeAffinity } = spec;
  if (before.nodeAffinity && !deepEqual(nodeAffinity, before.nodeAffinity))
    errors.push(
      invalid("nodeAffinity", nodeAffinity ?? null, "field is immutable, except for updating from beta label to GA"),
    );
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined)
    errors.push(forbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden"));
}

/** controllerExpandSecretRef may be added later. */
function withoutNewSecret(
  spec: Decoded<PersistentVolumeSpec>,
  before: Decoded<PersistentVolumeSpec>,
): Decoded<PersistentVolumeSpec> {
  if (!spec.csi || !before.csi || before.csi.controllerExpandSecretRef) return spec;
  const { controllerExpandSecretRef: _, ...rest } = spec.csi;
  return { ...spec, csi: rest };
}
