import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, required, tooLong } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft, isDraft, objectAt, optionalNumber, partAt, textAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkDriverName, checkName, type Errors, immutable } from "../../validation/index.js";
import { checkVolumeSpec } from "../core/persistent-volume/check-volume-spec.js";
import { applySourceDefaults } from "../core/pod-spec/index.js";
import { keepOtherPart } from "../spec-and-status.js";

/** VolumeAttachment. */
export const volumeAttachmentStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  applyDefaults(draft) {
    const { source } = childDraft(draft, "spec");
    if (isDraft(source) && isDraft(source["inlineVolumeSpec"]))
      applySourceDefaults(childDraft(source, "inlineVolumeSpec"));
  },
  prepareForCreate(draft) {
    draft["status"] = { attached: false };
  },
  prepareForUpdate: keepOtherPart,
  validate(object, old) {
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    checkDriverName(textAt(spec, "attacher"), "spec.attacher", errors);
    checkAttachedSource(objectAt(spec, "source"), errors);
    checkName(textAt(spec, "nodeName"), subdomainName, "spec.nodeName", errors);
    checkAttachedStatus(objectAt(object, "status"), errors);
    const volume = objectAt(spec, "source")["persistentVolumeName"];
    if (typeof volume === "string") checkName(volume, subdomainName, "spec.source.persistentVolumeName", errors);
    if (old && !deepEqual(spec, objectAt(old, "spec"))) errors.push(invalid("spec", spec, immutable));
    return errors;
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      {
        name: "Attacher",
        type: "string",
        format: "name",
        cell: (object) => textAt(objectAt(object, "spec"), "attacher"),
      },
      {
        name: "PV",
        type: "string",
        cell: (object) => textAt(objectAt(objectAt(object, "spec"), "source"), "persistentVolumeName"),
      },
      { name: "Node", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "nodeName") },
      { name: "Attached", type: "boolean", cell: (object) => objectAt(object, "status")["attached"] === true },
      ageColumn,
    ],
  },
};

function checkAttachedSource(source: JsonObject, errors: Errors): void {
  const field = "spec.source";
  const why = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  const [inline, name] = [partAt(source, "inlineVolumeSpec"), source["persistentVolumeName"]];
  if (!inline && name === undefined) errors.push(required(field, why));
  else if (inline && name !== undefined) errors.push(forbidden(field, why));
  else if (name === "")
    errors.push(required(`${field}.persistentVolumeName`, "must specify non empty persistentVolumeName"));
  else if (inline) checkVolumeSpec(inline, { field: `${field}.inlineVolumeSpec`, name: "", isInline: true, errors });
}

function checkAttachedStatus(status: JsonObject, errors: Errors): void {
  const metadata = Object.entries(objectAt(status, "attachmentMetadata"));
  const bytes = metadata.reduce((sum, [key, value]) => sum + Buffer.byteLength(key + String(value)), 0);
  if (bytes > 262_144) errors.push(tooLong("status.attachmentMetadata", 262_144));
  for (const key of ["attachError", "detachError"]) {
    const error = objectAt(status, key);
    if (Buffer.byteLength(textAt(error, "message")) > 1024) errors.push(tooLong(`status.${key}.message`, 262_144));
    const code = optionalNumber(error, "errorCode");
    if (code !== undefined && code < 0)
      errors.push(invalid(`status.${key}.errorCode`, code, "must be between 0 and 2147483647, inclusive"));
  }
}
