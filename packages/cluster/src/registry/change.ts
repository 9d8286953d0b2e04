import { copyFields, deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import { isLost, type StoredRecord } from "../storage/index.js";
import { ApiFailure, internalError, invalid, modified, notFound } from "./api-failure.js";
import { checkName, checkNamespace, shownDry } from "./create.js";
import { checkType, decodeBody, typeOf } from "./decode-body.js";
import { childDraft, type Draft, drop, keepFrom, listAt, metadataOf, textAt, textsAt } from "./draft.js";
import { emptiedFields } from "./emptied-fields.js";
import { isHollow, withHollow, withHollowShown } from "./hollow-metadata.js";
import { isTyped, trackWrite, withoutOwners } from "./managed-fields.js";
import { hasNullBytes } from "./null-bytes.js";
import {
  checkBuiltinFinalizers,
  checkChangedMetadata,
  checkCommonMetadata,
  dropDuplicateOwners,
  finalizerWarnings,
  invalidAt,
} from "./object-meta.js";
import { hasStatusPath, type Resource } from "./resource.js";
import { checkUid } from "./uid-precondition.js";
import { recordKey, timestamp, type WriteContext, type WriteOptions } from "./write-context.js";

/** Which object, and which part of it, a change is for. */
export interface ChangeTarget {
  readonly namespace: string;
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** Replaces an object by a request body (a fresh copy), and gives it as it was stored. */
export function updateObject(
  context: WriteContext,
  resource: Resource,
  target: ChangeTarget,
  body: JsonValue | undefined,
  options: WriteOptions,
): JsonObject {
  const draft = decodeBody(resource, body, options);
  const metadata = childDraft(draft, "metadata");
  checkNamespace(metadata, target.namespace);
  checkName(metadata, target.name);
  dropDuplicateOwners(metadata, false, options.warn);
  const uid = textAt(metadata, "uid");
  return changeObject(context, resource, target, options, (old) => {
    checkUid({ resource, ...target, dryRun: options.dryRun }, uid, old);
    return draft;
  });
}

/**
 * Changes an object that is there: `make` gives the decoded draft for what is there now.
 *
 * Keeps what the server owns, checks the rules, and writes; a change that changes nothing is not written.
 * `track` keeps the record of who owns which field; by default the writer comes to own what it changed.
 */
export function changeObject(
  context: WriteContext,
  resource: Resource,
  target: ChangeTarget,
  options: WriteOptions,
  make: (old: JsonObject) => Draft,
  track?: (draft: Draft, old: JsonObject) => Draft,
): JsonObject {
  const key = recordKey(target.namespace, target.name);
  const record = context.store.bucket(resource.bucket).get(key);
  if (!record) throw notFound(resource, target.name);
  const old = resource.fromStored(record.object);
  const sent = make(old);
  checkVersion(resource, childDraft(sent, "metadata"), old, target.name);
  const type = resource.origin === "custom" ? requireType(sent) : resource;
  const wrong = checkType(resource, sent);
  const link = keepsLink(resource, target.subresource) ? textAt(metadataOf(sent), "selfLink") : "";
  // Another version of the kind can be made this one; what is none cannot.
  const isVersion = type.kind === resource.kind && resource.schema(textAt(sent, "apiVersion")) !== undefined;
  const isOwnable = track !== undefined || ((wrong.length === 0 || isVersion) && isTyped(resource, sent));
  const draft = withSystemFields(sent, old, resource, target.subresource);
  const time = timestamp(context.clock);
  resource.strategy.prepareChange?.(draft, old, target.subresource, time);
  if (target.subresource === "" || target.subresource === "scale") countGeneration(resource, draft, old);
  const tracked = track
    ? track(draft, old)
    : isOwnable
      ? trackWrite({ resource, old, next: draft, options, time, subresource: target.subresource })
      : withoutOwners(draft);
  // After tracking: who once applied these fields owns them no longer when they are left out, though nothing takes them back.
  keepDeletion(childDraft(tracked, "metadata"), metadataOf(old));
  resource.strategy.admitChange?.(tracked, old, target.subresource, context.store, time, options.dryRun);
  resource.strategy.finish?.(tracked);
  const isNoop = isSame(tracked, old) && isStoredAs(resource, tracked, old, record) && !isOver(resource, tracked, old);
  const isStored = !options.dryRun && !isOver(resource, tracked, old);
  const shown = (object: JsonObject): JsonObject => (isStored ? object : withLink(object, link));
  // The advice of a kind is about the object itself: who writes the status alone is not bothered with it.
  const advice = (): readonly string[] =>
    (target.subresource === "status"
      ? resource.strategy.warnStatus?.(tracked)
      : resource.strategy.warn?.(tracked, old)) ?? [];
  if (isNoop && emptiedFields(tracked).size === 0) {
    for (const text of advice()) options.warn(text);
    return shown(old);
  }
  const errors =
    wrong.length > 0 && target.subresource === ""
      ? [
          ...metadataErrors(resource, tracked, old),
          ...wrong,
          ...(resource.strategy.checkMistyped?.(tracked, old) ?? []),
        ]
      : check(context, resource, tracked, old, target);
  if (errors.length > 0) throw invalid(type, target.name, errors);
  if (isNoop) return shown(old);
  for (const text of [...finalizerWarnings(tracked, old), ...advice()]) options.warn(text);
  resource.strategy.admitChecked?.(tracked, old, target.subresource, context.store);
  const charge = context.admitQuota({ resource, object: tracked, old, subresource: target.subresource });
  if (!options.dryRun) charge?.();
  return shown(write(context, resource, record, tracked, options));
}

/** Whether a write takes the metadata that were sent: to the object itself, and to the status of built-in kinds. */
function keepsLink({ origin }: Resource, subresource: string): boolean {
  return subresource === "" || (subresource === "status" && origin === "builtin");
}

/** The storage has no room for links; where nothing is stored, the one that was sent comes back. */
function withLink(object: JsonObject, link: string): JsonObject {
  return link === "" ? object : { ...object, metadata: { ...metadataOf(object), selfLink: link } };
}

/** The type that a custom resource says it has; without a version it has none. */
function requireType(sent: Draft): { readonly group: string; readonly kind: string } {
  if (textAt(sent, "apiVersion") !== "") return typeOf(sent);
  throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
}

function checkVersion(resource: Resource, metadata: Draft, old: JsonObject, name: string): void {
  const before = metadataOf(old);
  const version = textAt(metadata, "resourceVersion");
  if (version !== "" && !/^\d+$/.test(version))
    throw new ApiFailure(500, "", `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
  if (version === "" || version === "0") {
    if (!resource.strategy.unconditionalUpdate)
      throw invalid({ group: resource.group, kind: resource.plural }, name, [
        invalidAt("metadata.resourceVersion", 0, "must be specified for an update"),
      ]);
  } else if (version !== textAt(before, "resourceVersion")) throw modified(resource, name);
  metadata["resourceVersion"] = textAt(before, "resourceVersion");
}

function keepMissing(metadata: Draft, before: JsonObject, fields: readonly string[]): void {
  for (const field of fields)
    if (metadata[field] === undefined || metadata[field] === null) keepFrom(metadata, before, field);
}

/** The time of a deletion that is under way is the server's; how long it may take, a client may not leave out. */
function keepDeletion(metadata: Draft, before: JsonObject): void {
  if (before["deletionTimestamp"] !== undefined) keepFrom(metadata, before, "deletionTimestamp");
  keepMissing(metadata, before, ["deletionTimestamp", "deletionGracePeriodSeconds"]);
}

/** What a client may leave out or get wrong without harm: the server's own value stands. */
function withSystemFields(draft: Draft, old: JsonObject, resource: Resource, subresource: string): Draft {
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
  // Of a write to the status, everything else is ignored but the record of owners.
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

/** Whether the store has it in this very form already: it may hold what is not shown, or lack what is filled in. */
function isStoredAs(
  resource: Resource,
  object: JsonObject,
  old: JsonObject,
  { object: stored }: StoredRecord,
): boolean {
  if (resource.origin !== "custom") return !hasNullBytes(object, stored);
  if (isHollow(object, stored)) return false;
  return old === stored || isSame(resource.toStored(object), stored);
}

function isSameOwner(entry: JsonValue, before: JsonValue): boolean {
  if (entry === before) return true;
  if (!isJsonObject(entry) || !isJsonObject(before)) return deepEqual(entry, before);
  // The order of the fields counts too, which a write to the Scale changes.
  const { fieldsV1 } = entry;
  const isSameSet =
    fieldsV1 === before["fieldsV1"] || JSON.stringify(fieldsV1 ?? {}) === JSON.stringify(before["fieldsV1"] ?? {});
  return isSameSet && !differsOutside(entry, before, ["time", "fieldsV1"]);
}

function check(
  { extensions }: WriteContext,
  resource: Resource,
  object: JsonObject,
  old: JsonObject,
  target: ChangeTarget,
): FieldError[] {
  return [
    ...metadataErrors(resource, object, old),
    ...(resource.strategy.check?.(object, old, target.subresource, extensions) ?? []),
  ];
}

function metadataErrors(resource: Resource, object: JsonObject, old: JsonObject): FieldError[] {
  return [
    ...checkCommonMetadata(object, old),
    ...checkChangedMetadata(object, old),
    ...(resource.origin === "builtin" ? checkBuiltinFinalizers(object) : []),
  ];
}

/** Whether nothing holds an object any longer that is being deleted, and had no time left. */
function isOver(resource: Resource, object: JsonObject, old: JsonObject): boolean {
  const metadata = metadataOf(object);
  const { deletionGracePeriodSeconds: left = 0 } = metadataOf(old);
  return (
    metadata["deletionTimestamp"] !== undefined &&
    left === 0 &&
    textsAt(metadata, "finalizers").length === 0 &&
    resource.strategy.holdsDeletion?.(object) !== true
  );
}

/**
 * Stores a changed object, or removes it when it was only waiting for its finalizers.
 *
 * The draft must be nobody else's; its parts may be those of a stored object.
 */
export function write(
  context: WriteContext,
  resource: Resource,
  record: StoredRecord,
  draft: Draft,
  options: Pick<WriteOptions, "dryRun">,
): JsonObject {
  const metadata = metadataOf(draft);
  const isLast = isOver(resource, draft, record.object);
  if (options.dryRun) return shownDry(resource, draft);
  const make = (revision: number): JsonObject => {
    const own: Draft = Object.isFrozen(metadata) ? copyFields(metadata as Draft) : (metadata as Draft);
    own["resourceVersion"] = String(revision);
    draft["metadata"] = own;
    return withHollow(resource.toStored(draft), draft);
  };
  const written = isLast
    ? // Watchers are told of the object as it was last stored.
      context.store.delete(resource.bucket, record.key, record.revision, (revision) => {
        const last = metadataOf(record.object);
        return { ...record.object, metadata: { ...last, resourceVersion: String(revision) } };
      })
    : context.store.put(resource.bucket, record.key, record.revision, make);
  if (isLost(written)) throw modified(resource, textAt(metadata, "name"));
  // The answer to the write that ends an object carries its last version; that of the deletion is for watchers.
  return isLast ? withHollowShown(draft) : resource.fromStored(written.object);
}
