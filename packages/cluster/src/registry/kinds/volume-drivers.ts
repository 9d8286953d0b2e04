import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { duplicate, forbidden, invalid, notSupported, required, tooLong } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import { childDraft, isDraft, listAt, metadataOf, objectAt, textAt, textsAt } from "../draft.js";
import { qualifiedName, subdomainName } from "../name-rules.js";
import type { Column, Strategy } from "../resource.js";
import { checkVolumeSpec } from "./check-volume-spec.js";
import {
  checkName,
  checkOptionalEnum,
  type Errors,
  entriesAt,
  immutable,
  notNegative,
  numberAt,
  optionalNumber,
  partAt,
} from "./field-checks.js";
import { checkLabelSelector } from "./label-selectors.js";
import { applySourceDefaults } from "./pod-spec/index.js";
import { quantityOf } from "./resource-amounts.js";
import { checkDriverName } from "./value-rules.js";
import { keepOtherPart, setMissing } from "./workload.js";

function flagColumn(name: string, key: string): Column {
  return { name, type: "boolean", cell: (object) => objectAt(object, "spec")[key] === true };
}

/** Drivers of volumes. */
export const csiDriverStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: false,
  tracksGeneration: false,
  returnsDeleted: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    setMissing(spec, "attachRequired", true);
    for (const key of ["podInfoOnMount", "storageCapacity", "requiresRepublish", "seLinuxMount"])
      setMissing(spec, key, false);
    setMissing(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    if (listAt(spec, "volumeLifecycleModes").length === 0) spec["volumeLifecycleModes"] = ["Persistent"];
  },
  prepareChange(draft, old) {
    // Counted from the first change on.
    const { preventPodSchedulingIfMissing: _, ...spec } = objectAt(draft, "spec");
    if (!deepEqual(spec, objectAt(old, "spec")))
      childDraft(draft, "metadata")["generation"] = numberAt(metadataOf(old), "generation") + 1;
  },
  finish(draft) {
    // Not generally available: a real server drops it unless it is told to have it.
    delete childDraft(draft, "spec")["preventPodSchedulingIfMissing"];
  },
  check(object, old) {
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    checkDriver(spec, errors);
    if (!old) return errors;
    const before = objectAt(old, "spec");
    // The real server's path says "attachedRequired".
    for (const [key, field] of [
      ["attachRequired", "spec.attachedRequired"],
      ["volumeLifecycleModes", "spec.volumeLifecycleModes"],
    ] as const)
      if (!deepEqual(spec[key] ?? null, before[key] ?? null)) errors.push(invalid(field, spec[key] ?? null, immutable));
    return errors;
  },
  warn(object, old) {
    const spec = objectAt(object, "spec");
    if (old && deepEqual(spec["tokenRequests"] ?? null, objectAt(old, "spec")["tokenRequests"] ?? null)) return [];
    return listAt(spec, "tokenRequests").length > 0 && spec["serviceAccountTokenInSecrets"] === undefined
      ? [
          "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
        ]
      : [];
  },
  columns: [
    nameColumn,
    flagColumn("AttachRequired", "attachRequired"),
    flagColumn("PodInfoOnMount", "podInfoOnMount"),
    flagColumn("StorageCapacity", "storageCapacity"),
    { name: "TokenRequests", type: "string", cell: printAudiences },
    flagColumn("RequiresRepublish", "requiresRepublish"),
    {
      name: "Modes",
      type: "string",
      cell: (object) => textsAt(objectAt(object, "spec"), "volumeLifecycleModes").join(",") || "<none>",
    },
    ageColumn,
  ],
};

function printAudiences(object: JsonObject): string {
  const spec = objectAt(object, "spec");
  if (spec["tokenRequests"] === undefined) return "<unset>";
  return [...entriesAt(spec, "tokenRequests", "")].map(([request]) => textAt(request, "audience")).join(",");
}

function checkDriver(spec: JsonObject, errors: Errors): void {
  checkOptionalEnum(spec["fsGroupPolicy"], ["File", "None", "ReadWriteOnceWithFSType"], "spec.fsGroupPolicy", errors);
  const audiences = new Set<string>();
  for (const [request, at] of entriesAt(spec, "tokenRequests", "spec")) {
    const audience = textAt(request, "audience");
    if (audiences.has(audience)) {
      errors.push(duplicate(`${at}.audience`, audience));
      continue;
    }
    audiences.add(audience);
    const seconds = optionalNumber(request, "expirationSeconds");
    if (seconds !== undefined && seconds < 600)
      errors.push(invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes"));
    if (seconds !== undefined && seconds > 2 ** 32)
      errors.push(invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration larger than 2^32 seconds"));
  }
  for (const mode of textsAt(spec, "volumeLifecycleModes"))
    if (mode !== "Persistent" && mode !== "Ephemeral")
      errors.push(notSupported("spec.volumeLifecycleModes", mode, ["Persistent", "Ephemeral"]));
  const period = optionalNumber(spec, "nodeAllocatableUpdatePeriodSeconds");
  if (period !== undefined && period < 10)
    errors.push(
      invalid("spec.nodeAllocatableUpdatePeriodSeconds", period, "must be greater than or equal to 10 seconds"),
    );
  if (spec["serviceAccountTokenInSecrets"] !== undefined && listAt(spec, "tokenRequests").length === 0)
    errors.push(
      invalid(
        "spec.serviceAccountTokenInSecrets",
        spec["serviceAccountTokenInSecrets"],
        "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
      ),
    );
}

/** Which drivers a node has. */
export const csiNodeStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: false,
  tracksGeneration: false,
  returnsDeleted: true,
  finish(draft) {
    const spec = childDraft(draft, "spec");
    // An empty list of this type does not survive the encoding of the store.
    if (listAt(spec, "drivers").length === 0) spec["drivers"] = null;
  },
  check(object, old) {
    const errors: Errors = [];
    const names = new Set<string>();
    for (const [driver, at] of entriesAt(objectAt(object, "spec"), "drivers", "spec")) {
      checkNodeDriver(driver, at, names, errors);
      const before =
        old &&
        [...entriesAt(objectAt(old, "spec"), "drivers", "")].find(
          ([one]) => textAt(one, "name") === textAt(driver, "name"),
        )?.[0];
      const keys = ["nodeID", "topologyKeys"];
      if (before && !keys.every((key) => deepEqual(driver[key] ?? null, before[key] ?? null)))
        errors.push(invalid("spec.drivers", driver, immutable));
    }
    return errors;
  },
  columns: [
    nameColumn,
    { name: "Drivers", type: "integer", cell: (object) => listAt(objectAt(object, "spec"), "drivers").length },
    ageColumn,
  ],
};

function checkNodeDriver(driver: JsonObject, at: string, names: Set<string>, errors: Errors): void {
  const name = textAt(driver, "name");
  checkDriverName(name, `${at}.name`, errors);
  const id = textAt(driver, "nodeID");
  if (id === "") errors.push(required(`${at}.nodeID`));
  if (id.length > 256) errors.push(invalid(`${at}.nodeID`, id, "must be 256 characters or less"));
  const count = optionalNumber(objectAt(driver, "allocatable"), "count");
  if (count !== undefined && count < 0) errors.push(invalid(`${at}.allocatable.count`, count, notNegative));
  if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
  names.add(name);
  const keys = new Set<string>();
  for (const key of textsAt(driver, "topologyKeys")) {
    if (key === "") errors.push(required(at));
    if (keys.has(key)) errors.push(duplicate(at, key));
    keys.add(key);
    checkName(key, qualifiedName, at, errors);
  }
}

/** How much storage of a class is left in a part of the cluster. */
export const csiStorageCapacityStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: false,
  tracksGeneration: false,
  check(object, old) {
    const errors: Errors = [];
    checkLabelSelector(object["nodeTopology"], "nodeTopology", errors);
    checkName(textAt(object, "storageClassName"), subdomainName, "storageClassName", errors);
    if (object["capacity"] !== undefined && quantityOf(object["capacity"]).sign < 0)
      errors.push(invalid("capacity", quantityOf(object["capacity"]).toString(), notNegative));
    if (old)
      for (const key of ["nodeTopology", "storageClassName"])
        if (!deepEqual(object[key] ?? null, old[key] ?? null))
          errors.push(invalid(key, object[key] ?? null, immutable));
    return errors;
  },
  columns: [
    nameColumn,
    { name: "Created At", type: "date", cell: (object) => textAt(metadataOf(object), "creationTimestamp") },
  ],
};

/** That a volume is to be attached to a node. */
export const volumeAttachmentStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: false,
  tracksGeneration: false,
  returnsDeleted: true,
  applyDefaults(draft) {
    const { source } = childDraft(draft, "spec");
    if (isDraft(source) && isDraft(source["inlineVolumeSpec"]))
      applySourceDefaults(childDraft(source, "inlineVolumeSpec"));
  },
  prepareNew(draft) {
    draft["status"] = { attached: false };
  },
  prepareChange: keepOtherPart,
  check(object, old) {
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
