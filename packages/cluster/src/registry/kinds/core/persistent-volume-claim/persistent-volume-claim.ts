import { deepEqual, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { forbidden, invalid, notSupported } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../../columns.js";
import { childDraft, type Draft, isDraft, metadataOf, objectAt, setDefault, textAt, textsAt } from "../../../draft.js";
import { qualifiedName, subdomainName } from "../../../name-rules.js";
import type { Column, Strategy } from "../../../strategy.js";
import { changedPaths, checkQuantity, type Errors, immutable, quantityOf } from "../../../validation/index.js";
import { keepOtherPart } from "../../spec-and-status.js";
import { claimWarnings } from "../pod/pod-warnings.js";
import { checkClaimSpec } from "./check-claim-spec.js";
import { requestedStorage } from "./requested-storage.js";
import { classAnnotation, classOf } from "./storage-class-name.js";

const accessModes: Readonly<Record<string, string>> = {
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOnce: "RWO",
  ReadWriteOncePod: "RWOP",
};

/** The order of access modes in tables. */
const shownModes = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"];

const changed =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** The access modes, as tables print them. */
export function printAccessModes(parent: JsonObject): string {
  const modes = textsAt(parent, "accessModes");
  return shownModes
    .filter((mode) => modes.includes(mode))
    .map((mode) => accessModes[mode])
    .join(",");
}

/** The column Status: the phase, or Terminating. */
export const phaseColumn: Column = {
  name: "Status",
  type: "string",
  cell: (object) =>
    metadataOf(object)["deletionTimestamp"] === undefined ? textAt(objectAt(object, "status"), "phase") : "Terminating",
};

/** A column with a string of the spec; `<unset>` for none. */
export function specOrUnset(name: string, key: string, priority = 0): Column {
  return {
    name,
    type: "string",
    ...(priority === 0 ? {} : { priority }),
    cell(object) {
      const value = objectAt(object, "spec")[key];
      return typeof value === "string" ? value : "<unset>";
    },
  };
}

const _claims = { group: "", plural: "persistentvolumeclaims", kind: "PersistentVolumeClaim" };

/** PersistentVolumeClaim: the spec is immutable, except that a bound one may grow. */
export const persistentVolumeClaimStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    setDefault(childDraft(draft, "status"), "phase", "Pending");
    childDraft(draft, "spec")["volumeMode"] ??= "Filesystem";
  },
  prepareForCreate(draft) {
    draft["status"] = { phase: "Pending" };
    const spec = childDraft(draft, "spec");
    dropSources(spec, {});
    matchSources(spec);
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    if (context.subresource !== "") return;
    const spec = childDraft(draft, "spec");
    dropSources(spec, objectAt(old, "spec"));
    matchSources(spec);
  },
  validate(object, old, { subresource }) {
    const errors: Errors = [];
    if (subresource === "status") return checkClaimStatus(object);
    checkClaimSpec(objectAt(object, "spec"), "spec", errors, old && objectAt(old, "spec"));
    if (old) checkChanged(object, old, errors);
    return errors;
  },
  warn(object) {
    const warnings: string[] = [];
    if (Object.hasOwn(objectAt(metadataOf(object), "annotations"), classAnnotation))
      warnings.push(
        `metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
      );
    warnings.push(...claimWarnings(objectAt(object, "spec"), "spec"));
    return warnings;
  },
  selectableFields: { name: (object) => textAt(metadataOf(object), "name") },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      phaseColumn,
      { name: "Volume", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "volumeName") },
      { name: "Capacity", type: "string", cell: (object) => (isPlaced(object) ? printCapacity(object) : "") },
      {
        name: "Access Modes",
        type: "string",
        cell: (object) => (isPlaced(object) ? printAccessModes(objectAt(object, "status")) : ""),
      },
      { name: "StorageClass", type: "string", cell: classOf },
      specOrUnset("VolumeAttributesClass", "volumeAttributesClassName"),
      ageColumn,
      specOrUnset("VolumeMode", "volumeMode", 1),
    ],
  },
};

function isPlaced(object: JsonObject): boolean {
  return textAt(objectAt(object, "spec"), "volumeName") !== "";
}

function printCapacity(object: JsonObject): string {
  return quantityOf(objectAt(objectAt(object, "status"), "capacity")["storage"] ?? "0").toString();
}

/**
 * Drops data sources that kube-apiserver ignores: a dataSourceRef in another namespace, and a dataSource that is neither a
 * PersistentVolumeClaim nor a VolumeSnapshot. An update keeps those of the old object.
 */
function dropSources(spec: Draft, before: JsonObject): void {
  const { dataSource, dataSourceRef } = spec;
  const hadReference = before["dataSourceRef"] !== undefined;
  if (isDraft(dataSourceRef) && textAt(dataSourceRef, "namespace") !== "" && !hadReference)
    delete spec["dataSourceRef"];
  if (hadReference || before["dataSource"] !== undefined || spec["dataSourceRef"] !== undefined) return;
  if (!isDraft(dataSource)) return;
  const named = `${textAt(dataSource, "apiGroup")}/${textAt(dataSource, "kind")}`;
  if (named !== "/PersistentVolumeClaim" && named !== "snapshot.storage.k8s.io/VolumeSnapshot")
    delete spec["dataSource"];
}

/** Copies dataSource to dataSourceRef and back. */
function matchSources(spec: Draft): void {
  const [source, reference] = [spec["dataSource"], spec["dataSourceRef"]];
  const copied = (from: Draft): Draft => ({
    apiGroup: from["apiGroup"] ?? null,
    kind: textAt(from, "kind"),
    name: textAt(from, "name"),
  });
  if (isDraft(source) && reference === undefined) spec["dataSourceRef"] = copied(source);
  else if (isDraft(reference) && source === undefined && textAt(reference, "namespace") === "")
    spec["dataSource"] = copied(reference);
}

function checkChanged(object: JsonObject, old: JsonObject, errors: Errors): void {
  const [spec, before] = [objectAt(object, "spec"), objectAt(old, "spec")];
  const isBound = textAt(objectAt(object, "status"), "phase") === "Bound";
  const free = [...(textAt(before, "volumeName") === "" ? ["volumeName"] : [])];
  if (isBound) free.push("volumeAttributesClassName");
  const annotated = objectAt(metadataOf(old), "annotations")[classAnnotation];
  const named = spec["storageClassName"];
  const isNamedNow = before["storageClassName"] === undefined && named !== undefined;
  if (isNamedNow && (annotated === undefined || annotated === named)) free.push("storageClassName");
  const fixed = (one: JsonObject): JsonObject => {
    const kept = Object.fromEntries(Object.entries(one).filter(([key]) => !free.includes(key)));
    if (isBound) kept["resources"] = withoutSize(objectAt(one, "resources"));
    return kept;
  };
  const [fixedNow, fixedBefore] = [fixed(spec), fixed(before)];
  if (!deepEqual(fixedNow, fixedBefore))
    errors.push(forbidden("spec", `${changed}: ${changedPaths(fixedBefore, fixedNow, "spec")}`));
  const now = requestedStorage(object);
  const earlier = requestedStorage(old);
  const actual = quantityOf(objectAt(objectAt(old, "status"), "capacity")["storage"] ?? "0");
  if (now.compare(earlier) < 0 && now.compare(actual) <= 0)
    errors.push(forbidden("spec.resources.requests.storage", "field can not be less than status.capacity"));
  if (spec["volumeMode"] !== before["volumeMode"])
    errors.push(invalid("volumeMode", spec["volumeMode"] ?? null, immutable));
  const attributes = spec["volumeAttributesClassName"];
  const current = objectAt(old, "status")["currentVolumeAttributesClassName"];
  if (attributes === before["volumeAttributesClassName"] || current === undefined) return;
  for (const [value, said] of [
    [undefined, "nil"],
    ["", "empty string"],
  ] as const)
    if (attributes === value)
      errors.push(
        forbidden(
          "spec.volumeAttributesClassName",
          `update to ${said} is forbidden when status.currentVolumeAttributesClassName is not nil`,
        ),
      );
}

const resizeStatuses = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** Validates the status of a PersistentVolumeClaim. */
function checkClaimStatus(claim: JsonObject): Errors {
  const errors: Errors = [];
  const status = objectAt(claim, "status");
  const checkBasic = (value: JsonValue, field: string): boolean => {
    const units = quantityOf(value).toUnits();
    if (units < 0n) errors.push(invalid(field, Number(units), "must be a valid resource quantity"));
    return units >= 0n;
  };
  for (const [name, value] of Object.entries(objectAt(status, "capacity")))
    checkBasic(value, `status.capacity[${name}]`);
  for (const [name, value] of Object.entries(objectAt(status, "allocatedResourceStatuses"))) {
    const field = "status.allocatedResourceStatuses";
    checkClaimedName(name, field, errors);
    if (!resizeStatuses.includes(String(value))) errors.push(notSupported(field, name, [...resizeStatuses].sort()));
  }
  for (const [name, value] of Object.entries(objectAt(status, "allocatedResources"))) {
    const before = errors.length;
    checkClaimedName(name, "status.allocatedResources", errors);
    if (errors.length > before) continue;
    const field = `status.allocatedResources[${name}]`;
    if (checkBasic(value, field)) checkQuantity("storage", value, field, errors);
  }
  return errors;
}

/** Native resource names other than storage are invalid. */
function checkClaimedName(name: string, field: string, errors: Errors): void {
  const problems = qualifiedName(name);
  for (const detail of problems) errors.push(invalid(field, name, detail));
  const isNative = !name.includes("/") || name.includes("kubernetes.io/");
  if (problems.length === 0 && isNative && name !== "storage") errors.push(notSupported(field, name, ["storage"]));
}

function withoutSize(resources: JsonObject): JsonObject {
  const { storage: _, ...rest } = objectAt(resources, "requests");
  return { ...resources, requests: rest };
}
