import { cloneJson, copyFields, type JsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import type { StoredRecord } from "../storage/index.js";
import type { AdmissionRequest } from "./admission.js";
import { invalid, modified, notFound } from "./api-failure.js";
import { checkName, checkNamespace } from "./create.js";
import { checkType, decodeBody, typeOf } from "./decode-body.js";
import { childDraft, type Draft, drop, keepFrom, metadataOf, textAt } from "./draft.js";
import { andThen, type Eventually } from "./eventually.js";
import { keepValidManagers, trackWrite } from "./managed-fields.js";
import {
  checkBuiltinFinalizers,
  checkChangedMetadata,
  dropDuplicateOwners,
  finalizerWarnings,
  invalidAt,
} from "./object-meta.js";
import { hasStatusSubresource, type Resource, readStored } from "./resource.js";
import { resourceVersionOf } from "./resource-version.js";
import { isSame } from "./same-object.js";
import { checkUid } from "./uid-precondition.js";
import { withConversions } from "./with-conversions.js";
import { recordKey, timestamp, type Write, type WriteRequest } from "./write-context.js";
import { isDeletable, writeRecord } from "./write-record.js";
import { admissionRequest, mayRetry, pruneAdmitted, strategyContext } from "./write-steps.js";

/** How {@link changeObject} computes the new object from the live one. */
export interface Change {
  /** The decoded draft that replaces `old`. Called again if the object changed while admission or a conversion was awaited. */
  make(old: JsonObject): Eventually<Draft>;
  /** Sets managedFields. @default the field manager of the write owns the fields that it changes */
  track?(draft: Draft, old: JsonObject): Draft;
  /** Whether to write the draft even if it equals the live object. @default false */
  isAlwaysWritten?(): boolean;
}

/** Updates an object with the one in the request body, and returns it as stored. */
export function updateObject(write: WriteRequest): Eventually<JsonObject> {
  // Decoded before the live object is read: a malformed body is rejected even if the object does not exist.
  let decoded: Draft | undefined = decodeUpdate(write);
  return changeObject(write, {
    make(old) {
      const draft = decoded ?? decodeUpdate(write);
      decoded = undefined;
      checkUid(write, textAt(metadataOf(draft), "uid"), old);
      return draft;
    },
  });
}

function decodeUpdate({ context, resource, target, body, options }: WriteRequest): Draft {
  // Decoding changes the body in place. A write that may be retried decodes a copy.
  const value = mayRetry(context, resource) && body.value !== undefined ? cloneJson(body.value) : body.value;
  const draft = decodeBody(resource, { ...body, value }, options);
  const metadata = childDraft(draft, "metadata");
  checkNamespace(metadata, target.namespace);
  checkName(metadata, target.name);
  dropDuplicateOwners(metadata, false, options.warn);
  return draft;
}

/** Attempts of a write whose object changes while admission or a conversion is awaited. */
const maxAttempts = 20;

/**
 * Changes a live object, and returns it as stored. A no-op change is not written.
 *
 * Without an asynchronous plugin or conversion webhook, everything happens in one turn. Otherwise the object may change meanwhile: the
 * change is then retried on the new version (kube-apiserver's GuaranteedUpdate).
 */
export function changeObject(write: Write, change: Change, attempt = 1): Eventually<JsonObject> {
  const { context, resource } = write;
  const record = context.store.bucket(resource.bucket).get(recordKey(write.target.namespace, write.target.name));
  if (!record) throw notFound(resource, write.target.name);
  return andThen(readStored(resource, record.object), (old) => {
    const live = { record, old };
    return andThen(admitChange(write, change, live), (request) => {
      if (request === undefined) return old;
      return andThen(resource.toStored(request.object), (stored) => {
        const isCurrent = context.store.bucket(resource.bucket).get(record.key) === record;
        if (!isCurrent && attempt < maxAttempts) return changeObject(write, change, attempt + 1);
        return commitChange(write, request, { record, stored });
      });
    });
  });
}

/** Admits and validates a change; undefined for a no-op. */
function admitChange(write: Write, change: Change, live: LiveObject): Eventually<AdmissionRequest | undefined> {
  const { context, resource, options } = write;
  return andThen(changedDraft(write, change, live), (draft) => {
    const request = admissionRequest(write, draft, live.old);
    return andThen(context.admission.mutate(request), () => {
      options.observe?.("admission: mutate");
      const isReplaced = request.object !== draft;
      resource.strategy.authorize?.(request.object, live.old, strategyContext(write));
      // After mutation, as in kube-apiserver: webhooks see a write that conflicts.
      checkVersion(write, childDraft(request.object, "metadata"), live.old);
      if (isReplaced) repairMetadata(write, request.object, draft);
      request.object = withSystemFields(write, request.object, live.old);
      prepareChange(write, request.object, live);
      const pruned = isReplaced ? pruneAdmitted(resource, request.object) : request.object;
      const isNoop = change.isAlwaysWritten?.() !== true && isUnchanged(resource, pruned, live);
      return andThen(isNoop, (isNoop) => {
        validateChange(write, request.object, live.old, isNoop);
        return andThen(context.admission.validate(request), () => {
          options.observe?.("admission: validate");
          request.object = pruned;
          return isNoop ? undefined : request;
        });
      });
    });
  });
}

/** Repairs the metadata of an object that a mutating plugin replaced. */
function repairMetadata({ options: { warn } }: Write, object: Draft, before: Draft): void {
  const metadata = childDraft(object, "metadata");
  dropDuplicateOwners(metadata, true, warn);
  keepValidManagers(metadata, metadataOf(before), warn);
}

interface LiveObject {
  readonly record: StoredRecord;
  /** The stored object, in the API version of the request. */
  readonly old: JsonObject;
}

/**
 * Decodes the change and tracks its managedFields. Fields that a client cannot change are as it sent them, and mutating webhooks see them so; a
 * field manager that omits them loses ownership, although their values stay.
 */
function changedDraft(write: Write, change: Change, { old }: LiveObject): Eventually<Draft> {
  const { options } = write;
  return andThen(change.make(old), (draft) => {
    options.observe?.("registry: decode");
    return andThen(change.track?.(draft, old) ?? trackChange(write, draft, old), (tracked) => {
      options.observe?.("registry: track managedFields");
      return tracked;
    });
  });
}

function trackChange({ context, resource, target, options }: Write, next: Draft, old: JsonObject): Eventually<Draft> {
  const { subresource } = target;
  const time = timestamp(context.clock);
  return withConversions(resource, (versions) =>
    trackWrite({ resource, old, next, options, time, subresource, versions }),
  );
}

function prepareChange(write: Write, draft: Draft, { old }: LiveObject): void {
  const { resource, target, options } = write;
  resource.strategy.prepareForUpdate?.(draft, old, strategyContext(write));
  if (target.subresource === "" || target.subresource === "scale") incrementGeneration(resource, draft, old);
  resource.strategy.canonicalize?.(draft);
  options.observe?.("registry: prepare");
}

function validateChange(write: Write, object: JsonObject, old: JsonObject, isNoop: boolean): void {
  const { resource, target, options } = write;
  const wrongType = target.subresource === "" ? checkType(resource, object) : [];
  // An unchanged built-in object stays valid. A custom resource may not: its schema may have changed, and its rules may compare with the old one.
  if (!isNoop || resource.origin === "custom") {
    const metadataErrors = checkMetadata(resource, object, old);
    const errors = [...metadataErrors, ...wrongType];
    if (wrongType.length === 0)
      errors.push(...(resource.strategy.validate?.(object, old, { ...strategyContext(write), metadataErrors }) ?? []));
    if (errors.length > 0) throw invalid(wrongType.length > 0 ? typeOf(object) : resource, target.name, errors);
  }
  for (const warning of warningsFor(write, object, old)) options.warn(warning);
  options.observe?.("registry: validate");
}

interface ChangedRecord {
  readonly record: StoredRecord;
  /** The new object in its stored form. */
  readonly stored: Draft;
}

/** Charges quotas and stores the object, in one turn. */
function commitChange(
  write: Write,
  request: AdmissionRequest,
  { record, stored }: ChangedRecord,
): Eventually<JsonObject> {
  const { context, resource, options } = write;
  const charge = context.admission.reserve(request);
  if (!options.dryRun) charge?.();
  const written = writeRecord({ context, resource, record, dryRun: options.dryRun }, stored);
  options.observe?.("storage: commit");
  return readStored(resource, written);
}

/** Whether the update is a no-op: it changes no stored field and does not complete a deletion. */
function isUnchanged(resource: Resource, object: Draft, { record, old }: LiveObject): Eventually<boolean> {
  return isSame(object, old) && !isDeletable(resource, object, old) && isStoredAs(resource, object, record);
}

/** Rejects a resourceVersion that is not the live object's. */
function checkVersion({ resource, target }: Write, metadata: Draft, old: JsonObject): void {
  const live = textAt(metadataOf(old), "resourceVersion");
  const given = resourceVersionOf(metadata);
  const isGiven = given !== "" && given !== "0";
  if (!isGiven && !resource.strategy.allowUnconditionalUpdate)
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

/** A client can neither change the deletionTimestamp nor remove the grace period. */
function keepDeletion(metadata: Draft, before: JsonObject): void {
  if (before["deletionTimestamp"] !== undefined) keepFrom(metadata, before, "deletionTimestamp");
  keepMissing(metadata, before, ["deletionTimestamp", "deletionGracePeriodSeconds"]);
}

/** The draft, with the fields of the live object that neither a client nor a webhook can change. */
function withSystemFields({ resource, target: { subresource } }: Write, draft: Draft, old: JsonObject): Draft {
  const metadata = childDraft(draft, "metadata");
  const before = metadataOf(old);
  if (metadata["uid"] === "") delete metadata["uid"];
  keepMissing(metadata, before, ["uid"]);
  keepFrom(metadata, before, "creationTimestamp");
  keepFrom(metadata, before, "generation");
  drop(metadata, "selfLink");
  keepDeletion(metadata, before);
  if (!hasStatusSubresource(resource)) return draft;
  if (subresource === "") {
    keepFrom(draft, old, "status");
    return draft;
  }
  if (subresource !== "status") return draft;
  // A write to the status subresource changes only the status and managedFields.
  const result = copyFields(old as Draft);
  const kept = copyFields(before as Draft);
  keepFrom(kept, metadata, "managedFields");
  // Checked after mutating admission.
  keepFrom(kept, metadata, "resourceVersion");
  result["metadata"] = kept;
  keepFrom(result, draft, "status");
  return result;
}

function incrementGeneration(resource: Resource, draft: Draft, old: JsonObject): void {
  if (resource.strategy.isNewGeneration?.(draft, old) !== true) return;
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

/** Whether the object equals its stored form: a custom resource may be stored without defaults, or in another version. */
function isStoredAs(resource: Resource, object: Draft, { object: stored }: StoredRecord): Eventually<boolean> {
  if (resource.origin !== "custom" || resource.fromStored(stored) === stored) return true;
  return andThen(resource.toStored(object), (next) => isSame(next, stored));
}
