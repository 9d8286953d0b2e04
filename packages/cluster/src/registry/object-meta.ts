import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import { type Draft, type DraftValue, listAt, metadataOf, objectAt, textAt, textsAt } from "./draft.js";
import { asPrefix, labelName, labelValue, type NameRule, qualifiedName } from "./name-rules.js";

const annotationsLimitBytes = 256 * 1024;

/** Validates the metadata of a new object (`ValidateObjectMeta`). */
export function checkNewMetadata(object: JsonObject, namespaced: boolean, rule: NameRule): FieldError[] {
  const metadata = metadataOf(object);
  const errors: FieldError[] = [];
  const generateName = textAt(metadata, "generateName");
  if (generateName !== "")
    for (const detail of asPrefix(rule)(generateName))
      errors.push(invalidAt("metadata.generateName", generateName, detail));
  const name = textAt(metadata, "name");
  if (name === "")
    errors.push({ type: "Required", field: "metadata.name", badValue: "", detail: "name or generateName is required" });
  else for (const detail of rule(name)) errors.push(invalidAt("metadata.name", name, detail));
  const namespace = textAt(metadata, "namespace");
  if (namespaced) {
    if (namespace === "") errors.push({ type: "Required", field: "metadata.namespace", badValue: "", detail: "" });
    else for (const detail of labelName(namespace)) errors.push(invalidAt("metadata.namespace", namespace, detail));
  } else if (namespace !== "")
    errors.push({ type: "Forbidden", field: "metadata.namespace", badValue: "", detail: "not allowed on this type" });
  errors.push(...checkGeneration(metadata), ...checkParts(metadata));
  errors.push(...checkFinalizers(textsAt(metadata, "finalizers")));
  return errors;
}

function checkGeneration(metadata: JsonObject): FieldError[] {
  const generation = metadata["generation"];
  if ((typeof generation !== "number" && typeof generation !== "bigint") || generation >= 0) return [];
  return [invalidAt("metadata.generation", generation, "must be greater than or equal to 0")];
}

/** Validates the metadata of an object that replaces `old` (`ValidateObjectMetaUpdate`). */
export function checkChangedMetadata(object: JsonObject, old: JsonObject): FieldError[] {
  const metadata = metadataOf(object);
  const before = metadataOf(old);
  const errors = [...checkParts(metadata, before), ...checkFinalizers(textsAt(metadata, "finalizers"))];
  if (before["deletionTimestamp"] !== undefined) {
    const known = textsAt(before, "finalizers");
    const added = textsAt(metadata, "finalizers").filter((finalizer) => !known.includes(finalizer));
    if (added.length > 0) {
      const listed = [...new Set(added)]
        .sort()
        .map((finalizer) => JSON.stringify(finalizer))
        .join(", ");
      errors.push({
        type: "Forbidden",
        field: "metadata.finalizers",
        badValue: "",
        detail: `no new finalizers can be added if the object is being deleted, found new finalizers []string{${listed}}`,
      });
    }
  }
  if (textAt(metadata, "resourceVersion") === "")
    errors.push(invalidAt("metadata.resourceVersion", "", "must be specified for an update"));
  for (const field of [
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
  ]) {
    if (!deepEqual(metadata[field], before[field]))
      errors.push(invalidAt(`metadata.${field}`, metadata[field] ?? null, "field is immutable"));
  }
  return errors;
}

/** Drops duplicate ownerReferences with a warning; a patch has another warning. */
export function dropDuplicateOwners(metadata: Draft, isPatch: boolean, warn: (message: string) => void): void {
  const owners = metadata["ownerReferences"];
  if (!Array.isArray(owners) || owners.length < 2) return;
  const isFirst = (owner: DraftValue, index: number): boolean =>
    owners.findIndex((one) => deepEqual(one, owner)) === index;
  const kept = owners.filter(isFirst);
  if (kept.length === owners.length) return;
  const duplicates = owners.filter((owner, index) => !isFirst(owner, index));
  const uids = duplicates.map((owner) => (isJsonObject(owner) ? textAt(owner, "uid") : ""));
  metadata["ownerReferences"] = kept;
  const when = isPatch ? " after mutating admission happens" : "";
  warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(", ")}`,
  );
}

/** An `Invalid` error. */
export function invalidAt(field: string, badValue: JsonValue, detail: string): FieldError {
  return { type: "Invalid", field, badValue, detail };
}

/** Validates labels, also those of pod templates and selectors. */
export function checkLabels(labels: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    for (const detail of qualifiedName(key)) errors.push(invalidAt(field, key, detail));
    if (typeof value === "string") for (const detail of labelValue(value)) errors.push(invalidAt(field, value, detail));
  }
  return errors;
}

/** Validates labels, annotations and ownerReferences. Skips parts that are identical to the stored ones. */
function checkParts(metadata: JsonObject, before: JsonObject = {}): FieldError[] {
  const { labels, annotations, ownerReferences } = metadata;
  const errors: FieldError[] = [];
  if (labels !== before["labels"]) errors.push(...checkLabels(objectAt(metadata, "labels"), "metadata.labels"));
  if (annotations !== before["annotations"])
    errors.push(...checkAnnotations(objectAt(metadata, "annotations"), "metadata.annotations"));
  if (ownerReferences !== before["ownerReferences"]) errors.push(...checkOwners(listAt(metadata, "ownerReferences")));
  return errors;
}

/** Validates annotations, also those of pod templates. */
export function checkAnnotations(annotations: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const detail of qualifiedName(key.toLowerCase())) errors.push(invalidAt(field, key, detail));
    bytes += Buffer.byteLength(key) + (typeof value === "string" ? Buffer.byteLength(value) : 0);
  }
  if (bytes > annotationsLimitBytes)
    errors.push({
      type: "TooLong",
      field,
      badValue: "",
      detail: `may not be more than ${annotationsLimitBytes} bytes`,
    });
  return errors;
}

function checkOwners(owners: readonly JsonValue[]): FieldError[] {
  const field = "metadata.ownerReferences";
  const errors: FieldError[] = [];
  let controller = "";
  for (const owner of owners) {
    if (!isJsonObject(owner)) continue;
    const apiVersion = textAt(owner, "apiVersion");
    if (apiVersion === "" || apiVersion.endsWith("/") || apiVersion.split("/").length > 2)
      errors.push(invalidAt(`${field}.apiVersion`, apiVersion, "version must not be empty"));
    for (const part of ["kind", "name", "uid"])
      if (textAt(owner, part) === "") errors.push(invalidAt(`${field}.${part}`, "", "must not be empty"));
    if (apiVersion === "v1" && textAt(owner, "kind") === "Event")
      errors.push({
        type: "Invalid",
        field,
        badValue: owner,
        detail: "/v1, Kind=Event is disallowed from being an owner",
      });
    if (owner["controller"] !== true) continue;
    const named = `${textAt(owner, "kind")}/${textAt(owner, "name")}`;
    if (controller === "") controller = named;
    else
      errors.push({
        type: "Invalid",
        field,
        badValue: owners,
        detail: `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${named}`,
      });
  }
  return errors;
}

function checkFinalizers(finalizers: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const finalizer of finalizers)
    for (const detail of qualifiedName(finalizer)) errors.push(invalidAt("metadata.finalizers", finalizer, detail));
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion"))
    errors.push(
      invalidAt("metadata.finalizers", finalizers, "finalizer orphan and foregroundDeletion cannot be both set"),
    );
  return errors;
}

const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];

/** Rejects unqualified finalizers on built-in kinds, except on CustomResourceDefinitions. */
export function checkBuiltinFinalizers(object: JsonObject): FieldError[] {
  if (isDefinition(object)) return [];
  return textsAt(metadataOf(object), "finalizers").flatMap((finalizer, index) =>
    finalizer.includes("/") || standardFinalizers.includes(finalizer)
      ? []
      : [
          invalidAt(
            `metadata.finalizers[${index}]`,
            finalizer,
            "name is neither a standard finalizer name nor is it fully qualified",
          ),
        ],
  );
}

function isDefinition(object: JsonObject): boolean {
  return textAt(object, "apiVersion").startsWith("apiextensions.k8s.io/");
}

/** Warns of new finalizers that are not domain-qualified. */
export function finalizerWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  if (isDefinition(object)) return [];
  const known = old ? textsAt(metadataOf(old), "finalizers") : [];
  return textsAt(metadataOf(object), "finalizers")
    .filter((one) => !known.includes(one) && !standardFinalizers.includes(one) && !/[./]/.test(one))
    .map(
      (one) =>
        `metadata.finalizers: ${JSON.stringify(one)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
}
