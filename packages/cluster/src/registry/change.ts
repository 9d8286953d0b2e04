import { copyFields, type JsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import type { StoredRecord } from "../storage/index.js";
import { invalid, modified, notFound } from "./api-failure.js";
import { checkName, checkNamespace } from "./create.js";
import { checkType, decodeBody, typeOf } from "./decode-body.js";
import { childDraft, type Draft, drop, keepFrom, metadataOf, textAt } from "./draft.js";
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
import { differsOutsideStatus, isSame } from "./same-object.js";
import { checkUid } from "./uid-precondition.js";
import { recordKey, timestamp, type Write, type WriteRequest } from "./write-context.js";
import { isDeletable, writeRecord } from "./write-record.js";

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
  const tracked =
    change.track?.(draft, old) ??
    trackWrite({ resource, old, next: draft, options, time, subresource: target.subresource });
  // After tracking: a field manager that leaves these fields out loses them, though their values stay.
  keepDeletion(childDraft(tracked, "metadata"), metadataOf(old));
  strategy.prepareChange?.(tracked, old, target.subresource, time);
  if (target.subresource === "" || target.subresource === "scale") countGeneration(resource, tracked, old);
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

function checkMetadata({ origin }: Resource, object: JsonObject, old: JsonObject): FieldError[] {
  return [...checkChangedMetadata(object, old), ...(origin === "builtin" ? checkBuiltinFinalizers(object) : [])];
}

function warningsFor({ resource, target }: Write, object: JsonObject, old: JsonObject): readonly string[] {
  if (target.subresource === "status") return resource.strategy.warnStatus?.(object) ?? [];
  return [...finalizerWarnings(object, old), ...(resource.strategy.warn?.(object, old) ?? [])];
}

/** Whether the object is stored in this form: a custom resource may be stored without defaults, or in another version. */
function isStoredAs(resource: Resource, object: JsonObject, { object: stored }: StoredRecord): boolean {
  if (resource.origin !== "custom" || resource.fromStored(stored) === stored) return true;
  return isSame(resource.toStored(object), stored);
}
