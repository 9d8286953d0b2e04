import { copyFields, deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import { isLost, type StoredRecord } from "../storage/index.js";
import { invalid, modified, notFound } from "./api-failure.js";
import { checkName, checkNamespace, dryRunResult } from "./create.js";
import { checkType, decodeBody, typeOf } from "./decode-body.js";
import { childDraft, type Draft, drop, keepFrom, listAt, metadataOf, textAt, textsAt } from "./draft.js";
import { trackWrite } from "./managed-fields.js";
import {
  checkBuiltinFinalizers,
  checkChangedMetadata,
  dropDuplicateOwners,
  finalizerWarnings,
  invalidAt,
} from "./object-meta.js";
import { hasStatusPath, type Resource } from "./resource.js";
import { resourceVersionOf } from "./resource-version.js";
import { checkUid } from "./uid-precondition.js";
import { recordKey, timestamp, type Write, type WriteContext, type WriteRequest } from "./write-context.js";

/** How {@link changeObject} makes the new object of the live one. */
export interface Change {
  /** The decoded draft that replaces `old`. */
  make(old: JsonObject): Draft;
  /** Sets managedFields. @default the field manager of the write comes to own what it changes */
  track?(draft: Draft, old: JsonObject): Draft;
  /** Whether the draft is written also where it equals the live object. @default false */
  isAlwaysWritten?(): boolean;
}

/** Replaces an object by a request body, and returns it as it was stored. */
export function updateObject(write: WriteRequest): JsonObject {
  const { resource, target, body, options } = write;
  const draft = decodeBody(resource, body, options);
  const metadata = childDraft(draft, "metadata");
  checkNamespace(metadata, target.namespace);
  checkName(metadata, target.name);
  dropDuplicateOwners(metadata, false, options.warn);
  const uid = textAt(metadata, "uid");
  return changeObject(write, {
    make(old) {
      checkUid(write, uid, old);
      return draft;
    },
  });
}

/**
 * Changes a live object, and returns it as it was stored.
 *
 * Keeps the fields that the server sets, runs admission and validation, and writes. A change that changes nothing is not written.
 */
export function changeObject(write: Write, change: Change): JsonObject {
  const { context, resource, target, options } = write;
  const { strategy } = resource;
  const record = context.store.bucket(resource.bucket).get(recordKey(target.namespace, target.name));
  if (!record) throw notFound(resource, target.name);
  const old = resource.fromStored(record.object);
  const sent = change.make(old);
  checkVersion(write, childDraft(sent, "metadata"), old);
  const wrongType = target.subresource === "" ? checkType(resource, sent) : [];
  const type = wrongType.length > 0 ? typeOf(sent) : resource;
  const draft = withSystemFields(write, sent, old);
  const time = timestamp(context.clock);
  strategy.prepareChange?.(draft, old, target.subresource, time);
  if (target.subresource === "" || target.subresource === "scale") countGeneration(resource, draft, old);
  const tracked =
    change.track?.(draft, old) ??
    trackWrite({ resource, old, next: draft, options, time, subresource: target.subresource });
  // After tracking: a field manager that leaves these fields out loses them, though their values stay.
  keepDeletion(childDraft(tracked, "metadata"), metadataOf(old));
  strategy.admitChange?.(tracked, old, target.subresource, context.store, time, options.dryRun);
  strategy.finish?.(tracked);
  const isNoop =
    change.isAlwaysWritten?.() !== true &&
    isSame(tracked, old) &&
    isStoredAs(resource, tracked, record) &&
    !isDeletable(resource, tracked, old);
  if (!isNoop) {
    const errors = [...checkMetadata(resource, tracked, old), ...wrongType];
    if (wrongType.length === 0)
      errors.push(...(strategy.check?.(tracked, old, target.subresource, context.extensions) ?? []));
    if (errors.length > 0) throw invalid(type, target.name, errors);
  }
  for (const warning of warningsFor(write, tracked, old)) options.warn(warning);
  if (isNoop) return old;
  strategy.admitChecked?.(tracked, old, target.subresource, context.store);
  const charge = context.admitQuota({ resource, object: tracked, old, subresource: target.subresource });
  if (!options.dryRun) charge?.();
  return writeRecord({ context, resource, record, dryRun: options.dryRun }, tracked);
}

/** Rejects a resourceVersion that is not the live object's. */
function checkVersion({ resource, target }: Write, metadata: Draft, old: JsonObject): void {
  const live = textAt(metadataOf(old), "resourceVersion");
  const given = resourceVersionOf(metadata);
  const isGiven = given !== "" && given !== "0";
  if (!isGiven && !resource.strategy.unconditionalUpdate)
    throw invalid({ group: resource.group, kind: resource.plural }, target.name, [
      invalidAt("metadata.resourceVersion", 0, "must be specified for an update"),
    ]);
  if (isGiven && given !== live) throw modified(resource, target.name);
  metadata["resourceVersion"] = live;
}

function keepMissing(metadata: Draft, before: JsonObject, fields: readonly string[]): void {
  for (const field of fields)
    if (metadata[field] === undefined || metadata[field] === null) keepFrom(metadata, before, field);
}

/** The server sets the deletionTimestamp; a client may not leave out the grace period. */
function keepDeletion(metadata: Draft, before: JsonObject): void {
  if (before["deletionTimestamp"] !== undefined) keepFrom(metadata, before, "deletionTimestamp");
  keepMissing(metadata, before, ["deletionTimestamp", "deletionGracePeriodSeconds"]);
}

/** The draft with the server's values of fields that a client may leave out or get wrong. */
function withSystemFields({ resource, target: { subresource } }: Write, draft: Draft, old: JsonObject): Draft {
  const metadata = childDraft(draft, "metadata");
  const before = metadataOf(old);
  if (metadata["uid"] === "") delete metadata["uid"];
  keepMissing(metadata, before, ["uid"]);
  keepFrom(metadata, before, "creationTimestamp");
  keepFrom(metadata, before, "generation");
  drop(metadata, "selfLink");
  if (!hasStatusPath(resource)) return draft;
  if (subresource === "") {
    keepFrom(draft, old, "status");
    return draft;
  }
  if (subresource !== "status") return draft;
  // A write to the status changes the status and managedFields alone.
  const result = copyFields(old as Draft);
  const kept = copyFields(before as Draft);
  keepFrom(kept, metadata, "managedFields");
  result["metadata"] = kept;
  keepFrom(result, draft, "status");
  return result;
}

function countGeneration(resource: Resource, draft: Draft, old: JsonObject): void {
  if (!resource.strategy.tracksGeneration) return;
  const isNew = resource.strategy.isNewGeneration ?? differsOutsideStatus;
  if (!isNew(draft, old)) return;
  const before = metadataOf(old)["generation"];
  childDraft(draft, "metadata")["generation"] = (typeof before === "number" ? before : 0) + 1;
}

/** Any change outside metadata and status. */
export function differsOutsideStatus(object: JsonObject, old: JsonObject): boolean {
  return differsOutside(object, old, ["metadata", "status"]);
}

/** Any change outside the named fields of the object's root. */
export function differsOutside(object: JsonObject, old: JsonObject, fields: readonly string[]): boolean {
  for (const key in object) if (!fields.includes(key) && !deepEqual(object[key], old[key])) return true;
  for (const key in old) if (!fields.includes(key) && !Object.hasOwn(object, key)) return true;
  return false;
}

/** Equal but for the times in `managedFields`. */
function isSame(object: JsonObject, old: JsonObject): boolean {
  if (differsOutside(object, old, ["metadata"])) return false;
  const metadata = metadataOf(object);
  const before = metadataOf(old);
  if (differsOutside(metadata, before, ["managedFields"])) return false;
  const owners = listAt(metadata, "managedFields");
  const ownersBefore = listAt(before, "managedFields");
  return (
    owners.length === ownersBefore.length &&
    owners.every((entry, index) => isSameOwner(entry, ownersBefore[index] ?? null))
  );
}

/** Whether the object is stored in this form: a custom resource may be stored without defaults, or in another version. */
function isStoredAs(resource: Resource, object: JsonObject, { object: stored }: StoredRecord): boolean {
  if (resource.origin !== "custom" || resource.fromStored(stored) === stored) return true;
  return isSame(resource.toStored(object), stored);
}

function isSameOwner(entry: JsonValue, before: JsonValue): boolean {
  if (entry === before) return true;
  if (!isJsonObject(entry) || !isJsonObject(before)) return deepEqual(entry, before);
  // The order of the fields counts too: a write to the Scale changes it.
  const { fieldsV1 } = entry;
  const isSameSet =
    fieldsV1 === before["fieldsV1"] || JSON.stringify(fieldsV1 ?? {}) === JSON.stringify(before["fieldsV1"] ?? {});
  return isSameSet && !differsOutside(entry, before, ["time", "fieldsV1"]);
}

function checkMetadata({ origin }: Resource, object: JsonObject, old: JsonObject): FieldError[] {
  return [...checkChangedMetadata(object, old), ...(origin === "builtin" ? checkBuiltinFinalizers(object) : [])];
}

function warningsFor({ resource, target }: Write, object: JsonObject, old: JsonObject): readonly string[] {
  if (target.subresource === "status") return resource.strategy.warnStatus?.(object) ?? [];
  return [...finalizerWarnings(object, old), ...(resource.strategy.warn?.(object, old) ?? [])];
}

/** Whether an object that is being deleted has neither finalizers nor a grace period left. */
function isDeletable(resource: Resource, object: JsonObject, old: JsonObject): boolean {
  const metadata = metadataOf(object);
  const { deletionGracePeriodSeconds: left = 0 } = metadataOf(old);
  return (
    metadata["deletionTimestamp"] !== undefined &&
    left === 0 &&
    textsAt(metadata, "finalizers").length === 0 &&
    resource.strategy.holdsDeletion?.(object) !== true
  );
}

/** Which record {@link writeRecord} replaces. */
export interface RecordWrite {
  readonly context: WriteContext;
  readonly resource: Resource;
  readonly record: StoredRecord;
  readonly dryRun: boolean;
}

/**
 * Stores a changed object, or removes it where it only waited for its finalizers.
 *
 * The caller must own the draft; its parts may be those of a stored object.
 */
export function writeRecord({ context, resource, record, dryRun }: RecordWrite, draft: Draft): JsonObject {
  const metadata = metadataOf(draft);
  if (dryRun) return dryRunResult(resource, draft);
  const isLast = isDeletable(resource, draft, record.object);
  const written = isLast
    ? // Watches report the object as it was last stored.
      context.store.delete(resource.bucket, record.key, record.revision, (revision) => ({
        ...record.object,
        metadata: { ...metadataOf(record.object), resourceVersion: String(revision) },
      }))
    : context.store.put(resource.bucket, record.key, record.revision, (revision) => {
        const own: Draft = Object.isFrozen(metadata) ? copyFields(metadata as Draft) : (metadata as Draft);
        own["resourceVersion"] = String(revision);
        draft["metadata"] = own;
        return resource.toStored(draft);
      });
  if (isLost(written)) throw modified(resource, textAt(metadata, "name"));
  // The write that ends an object responds with its last version.
  return isLast ? draft : resource.fromStored(written.object);
}
