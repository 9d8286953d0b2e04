import type { JsonObject } from "@kubewright/core/json";
import { generateName } from "@kubewright/core/meta";
import { isLost } from "../storage/index.js";
import { ApiFailure, alreadyExists, badRequest, forbidden, invalid, noUniqueName } from "./api-failure.js";
import { checkType, decodeBody, typeOf } from "./decode-body.js";
import { childDraft, type Draft, drop, metadataOf, textAt, textsAt } from "./draft.js";
import { trackWrite } from "./managed-fields.js";
import { checkBuiltinFinalizers, checkNewMetadata, dropDuplicateOwners, finalizerWarnings } from "./object-meta.js";
import { hasStatusPath, type Resource } from "./resource.js";
import { resourceVersionOf } from "./resource-version.js";
import { checkUid } from "./uid-precondition.js";
import { recordKey, timestamp, type Write, type WriteContext, type WriteRequest } from "./write-context.js";
import { dryRunResult } from "./write-record.js";

const nameAttempts = 8;

/**
 * Creates an object from a request body, and returns it as it was stored.
 *
 * A target with a name is that of an update that creates. Throws the {@link ApiFailure} of a rejection.
 */
export function createObject(write: WriteRequest): JsonObject {
  const { context, resource, target, body, options } = write;
  const draft = decodeBody(resource, body, options);
  const metadata = childDraft(draft, "metadata");
  const isUpdate = target.name !== "";
  checkNamespace(metadata, target.namespace);
  if (isUpdate) checkName(metadata, target.name);
  dropDuplicateOwners(metadata, false, options.warn);
  if (isUpdate) {
    checkUid(write, textAt(metadata, "uid"), undefined);
    // An update that creates is not held to the resourceVersion that it names.
    resourceVersionOf(metadata);
    drop(metadata, "resourceVersion");
  } else for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds"]) drop(metadata, field);
  return storeNew(write, draft, (object) =>
    trackWrite({
      resource,
      old: undefined,
      next: object,
      options,
      time: timestamp(context.clock),
      subresource: target.subresource,
    }),
  );
}

/** Decodes a body that gets its defaults and its managedFields, and is not stored: that of a review. */
export function decodeNew({ context, resource, target, body, options }: WriteRequest): JsonObject {
  const draft = decodeBody(resource, body, options);
  checkNamespace(childDraft(draft, "metadata"), target.namespace);
  const time = timestamp(context.clock);
  return trackWrite({ resource, old: undefined, next: draft, options, time, subresource: "" });
}

/** Rejects a body that names another object than the request does. */
export function checkName(metadata: Draft, name: string): void {
  const given = textAt(metadata, "name");
  if (given === "")
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** Rejects a body that names another namespace than the request does; a cluster-scoped object loses its namespace. */
export function checkNamespace(metadata: Draft, namespace: string): void {
  const given = textAt(metadata, "namespace");
  if (namespace === "") drop(metadata, "namespace");
  else if (given === "") metadata["namespace"] = namespace;
  else if (given !== namespace)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

/**
 * The second half of a create, which an apply that creates shares: from a decoded draft to the store.
 *
 * `track` sets managedFields, before admission: no field manager owns what admission sets. A write to the status skips admission.
 */
export function storeNew(write: Write, draft: Draft, track: (draft: Draft) => Draft): JsonObject {
  const { context, resource, options, target } = write;
  const metadata = childDraft(draft, "metadata");
  const givenVersion = textAt(metadata, "resourceVersion");
  drop(metadata, "resourceVersion");
  drop(metadata, "selfLink");
  chooseName(write, metadata);
  const name = textAt(metadata, "name");
  const namespace = textAt(metadata, "namespace");
  const key = recordKey(namespace, name);
  if (namespace !== "") context.admitNew(namespace, resource, name);
  const whyForbidden = resource.refusesNew?.();
  if (whyForbidden !== undefined) throw forbidden(resource, name, whyForbidden);
  metadata["uid"] = flattened(context.newUid());
  metadata["creationTimestamp"] = timestamp(context.clock);
  // Kinds that do not count generations keep the client's value, as on a real server.
  if (resource.strategy.tracksGeneration) metadata["generation"] = 1;
  const tracked = track(draft);
  if (hasStatusPath(resource)) delete tracked["status"];
  if (target.subresource !== "status") {
    resource.strategy.admitNew?.(tracked, context.store, options.dryRun);
    addFinalizer(childDraft(tracked, "metadata"), context.extensions.finalizers?.get(resource.bucket));
  }
  resource.strategy.prepareNew?.(tracked);
  resource.strategy.finish?.(tracked);
  checkNew(context, resource, tracked);
  for (const warning of finalizerWarnings(tracked, undefined)) options.warn(warning);
  for (const warning of resource.strategy.warn?.(tracked, undefined) ?? []) options.warn(warning);
  resource.strategy.admitChecked?.(tracked, undefined, "", context.store);
  const charge = context.admitQuota({ resource, object: tracked, old: undefined, subresource: "" });
  if (!options.dryRun && /^\d+$/.test(givenVersion) && Number(givenVersion) !== 0)
    throw new ApiFailure(500, "", "resourceVersion should not be set on objects to be created");
  if (context.store.bucket(resource.bucket).get(key) !== undefined) throw nameTaken(write, tracked);
  if (options.dryRun) {
    if (givenVersion !== "") childDraft(tracked, "metadata")["resourceVersion"] = givenVersion;
    return dryRunResult(resource, tracked);
  }
  charge?.();
  const stored = context.store.put(resource.bucket, key, 0, (revision) => {
    childDraft(tracked, "metadata")["resourceVersion"] = String(revision);
    return resource.toStored(tracked);
  });
  if (isLost(stored)) throw nameTaken(write, tracked);
  return resource.fromStored(stored.object);
}

/** Generates a free name from `generateName` where metadata have no name. */
function chooseName({ context, resource }: Write, metadata: Draft): void {
  const base = textAt(metadata, "generateName");
  if (textAt(metadata, "name") !== "" || base === "") return;
  const bucket = context.store.bucket(resource.bucket);
  for (let attempt = 1; attempt <= nameAttempts; attempt++) {
    const name = generateName(base, context.random);
    metadata["name"] = name;
    if (bucket.get(recordKey(textAt(metadata, "namespace"), name)) === undefined) return;
  }
  throw noUniqueName(resource, textAt(metadata, "name"));
}

function addFinalizer(metadata: Draft, finalizer: string | undefined): void {
  if (finalizer === undefined) return;
  const finalizers = textsAt(metadata, "finalizers");
  if (!finalizers.includes(finalizer)) metadata["finalizers"] = [...finalizers, finalizer];
}

/** The same string. V8 keeps a concatenated string as its parts until a character is read. */
function flattened(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** 409: the name is taken, perhaps by an object that is being deleted. */
function nameTaken({ context, resource }: Write, object: JsonObject): ApiFailure {
  const metadata = metadataOf(object);
  const name = textAt(metadata, "name");
  const record = context.store.bucket(resource.bucket).get(recordKey(textAt(metadata, "namespace"), name));
  const isTerminating = record !== undefined && metadataOf(record.object)["deletionTimestamp"] !== undefined;
  // A client that sends generateName is asked to try again, also where it sends a name too.
  return (textAt(metadata, "generateName") === "" ? alreadyExists : noUniqueName)(resource, name, isTerminating);
}

function checkNew({ extensions }: WriteContext, resource: Resource, object: JsonObject): void {
  const name = textAt(metadataOf(object), "name");
  const wrongType = checkType(resource, object);
  if (wrongType.length > 0) throw invalid(typeOf(object), name, wrongType);
  const errors = checkNewMetadata(object, resource.namespaced, resource.strategy.nameRule);
  if (resource.origin === "builtin") errors.push(...checkBuiltinFinalizers(object));
  errors.push(...(resource.strategy.check?.(object, undefined, "", extensions) ?? []));
  if (errors.length > 0) throw invalid(resource, name, errors);
}
