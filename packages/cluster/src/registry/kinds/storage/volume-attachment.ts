import { deepEqual } from "@kubewright/core/json";
import { forbidden, invalid, required, tooLong } from "@kubewright/core/schema";
import type { VolumeAttachment, VolumeAttachmentSource, VolumeAttachmentStatus } from "kubewright/k8s/storage/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkCsiDriverName, checkName, type Errors, immutable } from "../../validation/index.js";
import { checkVolumeSpec } from "../core/persistent-volume/check-volume-spec.js";
import { applySourceDefaults } from "../core/pod-spec/index.js";
import { keepOtherPart } from "../spec-and-status.js";

/** VolumeAttachment. */
export const volumeAttachmentStrategy: Strategy<VolumeAttachment> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  applyDefaults(draft) {
    const volume = draft.spec?.source?.inlineVolumeSpec;
    if (volume) applySourceDefaults(volume);
  },
  prepareForCreate(draft) {
    draft.status = { attached: false };
  },
  prepareForUpdate: keepOtherPart,
  validate(object, old) {
    const errors: Errors = [];
    const spec = object.spec ?? {};
    checkCsiDriverName(spec.attacher ?? "", "spec.attacher", errors);
    checkAttachedSource(spec.source ?? {}, errors);
    checkName(spec.nodeName ?? "", subdomainName, "spec.nodeName", errors);
    checkAttachedStatus(object.status ?? {}, errors);
    const volume = spec.source?.persistentVolumeName;
    if (volume !== undefined) checkName(volume, subdomainName, "spec.source.persistentVolumeName", errors);
    if (old && !deepEqual(spec, old.spec ?? {})) errors.push(invalid("spec", spec, immutable));
    return errors;
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      { name: "Attacher", type: "string", format: "name", cell: (object) => object.spec?.attacher ?? "" },
      { name: "PV", type: "string", cell: (object) => object.spec?.source?.persistentVolumeName ?? "" },
      { name: "Node", type: "string", cell: (object) => object.spec?.nodeName ?? "" },
      { name: "Attached", type: "boolean", cell: (object) => object.status?.attached === true },
      ageColumn,
    ],
  },
};

function checkAttachedSource(source: Decoded<VolumeAttachmentSource>, errors: Errors): void {
  const field = "spec.source";
  const why = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = source;
  if (!inline && name === undefined) errors.push(required(field, why));
  else if (inline && name !== undefined) errors.push(forbidden(field, why));
  else if (name === "")
    errors.push(required(`${field}.persistentVolumeName`, "must specify non empty persistentVolumeName"));
  else if (inline) checkVolumeSpec(inline, { field: `${field}.inlineVolumeSpec`, name: "", isInline: true, errors });
}

function checkAttachedStatus(status: Decoded<VolumeAttachmentStatus>, errors: Errors): void {
  const metadata = Object.entries(status.attachmentMetadata ?? {});
  const bytes = metadata.reduce((sum, [key, value]) => sum + Buffer.byteLength(key + value), 0);
  if (bytes > 262_144) errors.push(tooLong("status.attachmentMetadata", 262_144));
  for (const key of ["attachError", "detachError"] as const) {
    const { message = "", errorCode: code } = status[key] ?? {};
    if (Buffer.byteLength(message) > 1024) errors.push(tooLong(`status.${key}.message`, 262_144));
    if (code !== undefined && code < 0)
      errors.push(invalid(`status.${key}.errorCode`, code, "must be between 0 and 2147483647, inclusive"));
  }
}
