import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { generateName } from "@kubewright/core/meta";
import { isLost } from "../storage/index.js";
import { ApiFailure, alreadyExists, badRequest, forbidden, invalid, noUniqueName } from "./api-failure.js";
import { checkType, decodeBody, typeOf } from "./decode-body.js";
import { childDraft, type Draft, drop, metadataOf, textAt, textsAt } from "./draft.js";
import { emptiedFields } from "./emptied-fields.js";
import { withHollow } from "./hollow-metadata.js";
import { isTyped, trackWrite, withoutOwners } from "./managed-fields.js";
import { checkBuiltinFinalizers, checkNewMetadata, dropDuplicateOwners, finalizerWarnings } from "./object-meta.js";
import { hasStatusPath, type Resource } from "./resource.js";
import { checkUid } from "./uid-precondition.js";
import { recordKey, timestamp, type WriteContext, type WriteOptions } from "./write-context.js";

const nameAttempts = 8;

/**
 * Creates an object from a request body, and gives it as it was stored.
 *
 * `place` is what the path of an update names that creates. The body must be a fresh copy. Throws an {@link ApiFailure} when the server refuses.
 */
export function createObject(
  context: WriteContext,
  resource: Resource,
  namespace: string,
  body: JsonValue | undefined,
  options: WriteOptions,
  place?: { readonly name: string; readonly subresource: string },
): JsonObject {
  const draft = decodeBody(resource, body, options);
  const metadata = childDraft(draft, "metadata");
  checkNamespace(metadata, namespace);
  if (place !== undefined) checkName(metadata, place.name);
  dropDuplicateOwners(metadata, false, options.warn);
  if (place !== undefined) {
    const { dryRun } = options;
    checkUid({ resource, namespace, name: place.name, dryRun }, textAt(metadata, "uid"), undefined);
    dropVersion(metadata);
  }
  // An apply or an update that creates keeps them.
  if (place === undefined)
    for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"]) drop(metadata, field);
  const subresource = place?.subresource ?? "";
  // Empty lists that were sent are owned, though what is stored is none.
  const emptied = [...emptiedFields(draft)].filter((field) => draft[field] === null);
  const track = (object: Draft): Draft => {
    if (!isTyped(resource, object)) return withoutOwners(object);
    for (const field of emptied) object[field] = [];
    const time = timestamp(context.clock);
    const tracked = trackWrite({ resource, old: undefined, next: object, options, time, subresource });
    for (const field of emptied) tracked[field] = null;
    return tracked;
  };
  return storeNew(context, resource, draft, options, track, subresource === "status");
}

/** A body that is decoded, gets its defaults and its managedFields, and is not stored: that of a review. */
export function decodeNew(
  { clock }: Pick<WriteContext, "clock">,
  { resource, namespace, body, options }: NewBody,
): JsonObject {
  const draft = decodeBody(resource, body, options);
  checkNamespace(childDraft(draft, "metadata"), namespace);
  return trackWrite({ resource, old: undefined, next: draft, options, time: timestamp(clock), subresource: "" });
}

/** What {@link decodeNew} decodes. */
export interface NewBody {
  readonly resource: Resource;
  readonly namespace: string;
  readonly body: JsonValue | undefined;
  readonly options: WriteOptions;
}

/** A body may not name another object than the request does. */
export function checkName(metadata: Draft, name: string): void {
  const given = textAt(metadata, "name");
  if (given === "")
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** An update that creates is not held to the version that it names, which must be one all the same. */
function dropVersion(metadata: Draft): void {
  const version = textAt(metadata, "resourceVersion");
  if (!/^\d*$/.test(version))
    throw new ApiFailure(500, "", `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
  delete metadata["resourceVersion"];
}

/** A body may name its namespace, but no other than the request does; where there is none, it is dropped. */
export function checkNamespace(metadata: Draft, namespace: string): void {
  const given = textAt(metadata, "namespace");
  if (namespace === "") drop(metadata, "namespace");
  else if (given === "") metadata["namespace"] = namespace;
  else if (given !== namespace)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

/**
 * The second half of a create, which an apply of an object that is not there shares: from a decoded draft to the store.
 *
 * A write to the status may create too, for some kinds; on its way nothing is given to the object that is not its own.
 */
export function storeNew(
  context: WriteContext,
  resource: Resource,
  draft: Draft,
  options: WriteOptions,
  track: (draft: Draft) => Draft,
  isStatus = false,
): JsonObject {
  const metadata = childDraft(draft, "metadata");
  const namespace = textAt(metadata, "namespace");
  const givenVersion = textAt(metadata, "resourceVersion");
  drop(metadata, "resourceVersion");
  const base = textAt(metadata, "generateName");
  const generated = textAt(metadata, "name") === "" && base !== "";
  const bucket = context.store.bucket(resource.bucket);
  let name = textAt(metadata, "name");
  let key = recordKey(namespace, name);
  for (let attempt = 1; generated; attempt++) {
    name = generateName(base, context.random);
    key = recordKey(namespace, name);
    if (bucket.get(key) === undefined) break;
    if (attempt === nameAttempts) throw noUniqueName(resource, name);
  }
  if (generated) metadata["name"] = name;
  if (namespace !== "") context.admitNew(namespace, resource, name);
  const refusal = resource.refusesNew?.();
  if (refusal !== undefined) throw forbidden(resource, name, refusal);
  metadata["uid"] = inOnePiece(context.newUid());
  metadata["creationTimestamp"] = timestamp(context.clock);
  // Kinds that do not count generations keep what the client says, as on a real server.
  if (resource.strategy.tracksGeneration) metadata["generation"] = 1;
  const tracked = track(draft);
  // What has a path of its own cannot be set by the way.
  if (hasStatusPath(resource)) delete tracked["status"];
  // After tracking: nobody owns what the server sets by itself.
  if (!isStatus) {
    resource.strategy.admitNew?.(tracked, context.store, options.dryRun);
    addFinalizer(childDraft(tracked, "metadata"), context.extensions.finalizers?.get(resource.bucket));
  }
  resource.strategy.prepareNew?.(tracked);
  resource.strategy.finish?.(tracked);
  checkNew(context, resource, tracked, name);
  for (const text of [
    ...finalizerWarnings(tracked, undefined),
    ...(resource.strategy.warn?.(tracked, undefined) ?? []),
  ])
    options.warn(text);
  resource.strategy.admitChecked?.(tracked, undefined, "", context.store);
  const charge = context.admitQuota({ resource, object: tracked, old: undefined, subresource: "" });
  if (options.dryRun) {
    if (bucket.get(key)) throw taken(context, resource, key, name, base);
    if (givenVersion !== "") childDraft(tracked, "metadata")["resourceVersion"] = givenVersion;
    return shownDry(resource, tracked);
  }
  // The storage has no room for it; where nothing is stored, it comes back.
  drop(childDraft(tracked, "metadata"), "selfLink");
  // Only the storage minds, and what is no number it does not see.
  if (givenVersion !== "" && /^\d+$/.test(givenVersion) && Number(givenVersion) !== 0)
    throw new ApiFailure(500, "", "resourceVersion should not be set on objects to be created");
  // A name that is taken costs nothing.
  if (charge !== undefined && bucket.get(key) === undefined) charge();
  const stored = context.store.put(resource.bucket, key, 0, (revision) => {
    childDraft(tracked, "metadata")["resourceVersion"] = String(revision);
    return withHollow(resource.toStored(tracked), tracked);
  });
  if (isLost(stored)) throw taken(context, resource, key, name, base);
  return resource.fromStored(stored.object);
}

function addFinalizer(metadata: Draft, finalizer: string | undefined): void {
  if (finalizer === undefined) return;
  const finalizers = textsAt(metadata, "finalizers");
  if (!finalizers.includes(finalizer)) metadata["finalizers"] = [...finalizers, finalizer];
}

/** The same text. One that was put together is kept as its many parts until somebody looks into it. */
function inOnePiece(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** What is answered where nothing is stored: what a custom resource would be read as, once it was. */
export function shownDry(resource: Resource, draft: Draft): JsonObject {
  return resource.origin === "custom" ? resource.fromStored(resource.toStored(draft)) : draft;
}

/** A name that is taken; of an object that is on its way out, a client may wait for the end. */
function taken(context: WriteContext, resource: Resource, key: string, name: string, base: string): ApiFailure {
  const record = context.store.bucket(resource.bucket).get(key);
  const isLeaving = record !== undefined && metadataOf(record.object)["deletionTimestamp"] !== undefined;
  // Who gives a base for names is asked to try again, also with a name of its own.
  return (base === "" ? alreadyExists : noUniqueName)(resource, name, isLeaving);
}

function checkNew({ extensions }: WriteContext, resource: Resource, object: JsonObject, name: string): void {
  const wrong = checkType(resource, object);
  if (wrong.length > 0)
    throw invalid(typeOf(object), name, [...wrong, ...(resource.strategy.checkMistyped?.(object, undefined) ?? [])]);
  const errors = checkNewMetadata(object, resource.namespaced, resource.strategy.nameRule);
  if (resource.origin === "builtin") errors.push(...checkBuiltinFinalizers(object));
  errors.push(...(resource.strategy.check?.(object, undefined, "", extensions) ?? []));
  if (errors.length > 0) throw invalid(resource, name, errors);
}
