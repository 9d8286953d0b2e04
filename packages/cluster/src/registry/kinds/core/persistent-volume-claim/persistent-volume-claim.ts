import { deepEqual, type JsonValue } from "@kubewright/core/json";
import type { Quantity } from "@kubewright/core/quantity";
import { forbidden, invalid, notSupported } from "@kubewright/core/schema";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
} from "kubewright/k8s/core/v1";
import { ageColumn, nameColumn } from "../../../columns.js";
import type { Decoded, Drafted } from "../../../decoded.js";
import { childDraft, type Draft } from "../../../draft.js";
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

/** The order of access modes in printer columns. */
const printedModes = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"];

const specImmutable =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** The access modes, as printer columns show them. */
export function printAccessModes(modes: readonly string[] = []): string {
  return printedModes
    .filter((mode) => modes.includes(mode))
    .map((mode) => accessModes[mode])
    .join(",");
}

/** The Status column: the phase, or Terminating. */
export const phaseColumn: Column<PersistentVolume | PersistentVolumeClaim> = {
  name: "Status",
  type: "string",
  cell: ({ metadata, status }) => (metadata?.deletionTimestamp === undefined ? status?.phase : "Terminating"),
};

/** PersistentVolumeClaim. The spec is immutable, but a bound PVC can be expanded. */
export const persistentVolumeClaimStrategy: Strategy<PersistentVolumeClaim> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    childDraft(draft, "status").phase ||= "Pending";
    childDraft(draft, "spec").volumeMode ??= "Filesystem";
  },
  prepareForCreate(draft) {
    draft.status = { phase: "Pending" };
    const spec = childDraft(draft, "spec");
    dropSources(spec, {});
    matchSources(spec);
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    if (context.subresource !== "") return;
    const spec = childDraft(draft, "spec");
    dropSources(spec, old.spec ?? {});
    matchSources(spec);
  },
  validate(object, old, { subresource }) {
    const errors: Errors = [];
    if (subresource === "status") return checkClaimStatus(object);
    checkClaimSpec(object.spec ?? {}, "spec", errors, old?.spec);
    if (old) checkChanged(object, old, errors);
    return errors;
  },
  warn(object) {
    const warnings: string[] = [];
    if (object.metadata?.annotations?.[classAnnotation] !== undefined)
      warnings.push(
        `metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
      );
    warnings.push(...claimWarnings(object.spec ?? {}, "spec"));
    return warnings;
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      phaseColumn,
      { name: "Volume", type: "string", cell: (object) => object.spec?.volumeName ?? "" },
      {
        name: "Capacity",
        type: "string",
        cell: (object) => (object.spec?.volumeName ? actualStorage(object).toString() : ""),
      },
      {
        name: "Access Modes",
        type: "string",
        cell: (object) => (object.spec?.volumeName ? printAccessModes(object.status?.accessModes) : ""),
      },
      { name: "StorageClass", type: "string", cell: classOf },
      {
        name: "VolumeAttributesClass",
        type: "string",
        cell: (object) => object.spec?.volumeAttributesClassName ?? "<unset>",
      },
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

function actualStorage(claim: Decoded<PersistentVolumeClaim>): Quantity {
  return quantityOf(claim.status?.capacity?.["storage"] ?? "0");
}

/**
 * Drops data sources that kube-apiserver ignores: a dataSourceRef in another namespace, and a dataSource that is neither a
 * PersistentVolumeClaim nor a VolumeSnapshot. An update keeps those of the old object.
 */
function dropSources(spec: Drafted<PersistentVolumeClaimSpec>, before: Decoded<PersistentVolumeClaimSpec>): void {
  if (before.dataSourceRef) return;
  if (spec.dataSourceRef?.namespace) delete spec.dataSourceRef;
  if (before.dataSource || spec.dataSourceRef || !spec.dataSource) return;
  const type = `${spec.dataSource.apiGroup ?? ""}/${spec.dataSource.kind ?? ""}`;
  if (type !== "/PersistentVolumeClaim" && type !== "snapshot.storage.k8s.io/VolumeSnapshot") delete spec.dataSource;
}

/** Copies dataSource to dataSourceRef, or the reverse. */
function matchSources(spec: Drafted<PersistentVolumeClaimSpec>): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = copyOf(dataSource);
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) spec.dataSource = copyOf(dataSourceRef);
}

/** kube-apiserver encodes an absent apiGroup as null, which the type does not allow. */
function copyOf(from: Decoded<TypedLocalObjectReference>): Drafted<TypedLocalObjectReference> {
  const copy: Draft = { apiGroup: from.apiGroup ?? null, kind: from.kind ?? "", name: from.name ?? "" };
  return copy;
}

function checkChanged(
  object: Decoded<PersistentVolumeClaim>,
  old: Decoded<PersistentVolumeClaim>,
  errors: Errors,
): void {
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  const isBound = object.status?.phase === "Bound";
  const annotated = old.metadata?.annotations?.[classAnnotation];
  const setsClass = before.storageClassName === undefined && spec.storageClassName !== undefined;
  const maySetClass = setsClass && (annotated === undefined || annotated === spec.storageClassName);
  // Masks the mutable fields.
  const masked = (one: Decoded<PersistentVolumeClaimSpec>): Decoded<PersistentVolumeClaimSpec> => ({
    ...one,
    ...(!before.volumeName && { volumeName: "" }),
    ...(maySetClass && { storageClassName: "" }),
    ...(isBound && {
      volumeAttributesClassName: "",
      resources: { ...one.resources, requests: { ...one.resources?.requests, storage: "" } },
    }),
  });
  const [maskedSpec, maskedBefore] = [masked(spec), masked(before)];
  if (!deepEqual(maskedSpec, maskedBefore))
    errors.push(forbidden("spec", `${specImmutable}: ${changedPaths(maskedBefore, maskedSpec, "spec")}`));
  const requested = requestedStorage(object);
  if (requested.compare(requestedStorage(old)) < 0 && requested.compare(actualStorage(old)) <= 0)
    errors.push(forbidden("spec.resources.requests.storage", "field can not be less than status.capacity"));
  if (spec.volumeMode !== before.volumeMode) errors.push(invalid("volumeMode", spec.volumeMode ?? null, immutable));
  const attributes = spec.volumeAttributesClassName;
  const isCleared = !attributes && attributes !== before.volumeAttributesClassName;
  if (isCleared && old.status?.currentVolumeAttributesClassName !== undefined)
    errors.push(
      forbidden(
        "spec.volumeAttributesClassName",
        `update to ${attributes === "" ? "empty string" : "nil"} is forbidden when status.currentVolumeAttributesClassName is not nil`,
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
function checkClaimStatus({ status = {} }: Decoded<PersistentVolumeClaim>): Errors {
  const errors: Errors = [];
  const checkBasic = (value: JsonValue, field: string): boolean => {
    const units = quantityOf(value).toUnits();
    if (units < 0n) errors.push(invalid(field, Number(units), "must be a valid resource quantity"));
    return units >= 0n;
  };
  for (const [name, value] of Object.entries(status.capacity ?? {})) checkBasic(value, `status.capacity[${name}]`);
  for (const [name, value] of Object.entries(status.allocatedResourceStatuses ?? {})) {
    const field = "status.allocatedResourceStatuses";
    checkStorageName(name, field, errors);
    if (!resizeStatuses.includes(value)) errors.push(notSupported(field, name, [...resizeStatuses].sort()));
  }
  for (const [name, value] of Object.entries(status.allocatedResources ?? {})) {
    const before = errors.length;
    checkStorageName(name, "status.allocatedResources", errors);
    if (errors.length > before) continue;
    const field = `status.allocatedResources[${name}]`;
    if (checkBasic(value, field)) checkQuantity("storage", value, field, errors);
  }
  return errors;
}

/** Native resource names other than storage are invalid. */
function checkStorageName(name: string, field: string, errors: Errors): void {
  const problems = qualifiedName(name);
  for (const detail of problems) errors.push(invalid(field, name, detail));
  const isNative = !name.includes("/") || name.includes("kubernetes.io/");
  if (problems.length === 0 && isNative && name !== "storage") errors.push(notSupported(field, name, ["storage"]));
}
