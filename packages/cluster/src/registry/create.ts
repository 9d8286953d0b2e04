import type { JsonObject } from "@kubewright/core/json";
import { generateName } from "@kubewright/core/meta";
import { isLost } from "../storage/index.js";
import type { AdmissionRequest } from "./admission.js";
import { ApiFailure, alreadyExists, badRequest, forbidden, invalid, noUniqueName } from "./api-failure.js";
import { checkType, decodeBody, typeOf } from "./decode-body.js";
import { childDraft, type Draft, drop, metadataOf, textAt } from "./draft.js";
import { andThen, type Eventually } from "./eventually.js";
import { keepValidManagers, trackWrite } from "./managed-fields.js";
import { checkBuiltinFinalizers, checkNewMetadata, dropDuplicateOwners, finalizerWarnings } from "./object-meta.js";
import { hasStatusSubresource, readStored } from "./resource.js";
import { resourceVersionOf } from "./resource-version.js";
import { checkUid } from "./uid-precondition.js";
import { withConversions } from "./with-conversions.js";
import { recordKey, timestamp, type Write, type WriteRequest } from "./write-context.js";
import { withRevision } from "./write-record.js";
import { admissionRequest, pruneAdmitted, strategyContext } from "./write-steps.js";

const nameAttempts = 8;

/**
 * Creates an object from a request body, and returns it as stored.
 *
 * A target with a name means create-on-update. Throws an {@link ApiFailure} if the create is rejected.
 */
export function createObject(write: WriteRequest): Eventually<JsonObject> {
  const { context, resource, target, body, options } = write;
  const draft = decodeBody(resource, body, options);
  options.observe?.("registry: decode");
  const metadata = childDraft(draft, "metadata");
  const isUpdate = target.name !== "";
  checkNamespace(metadata, target.namespace);
  if (isUpdate) checkName(metadata, target.name);
  dropDuplicateOwners(metadata, false, options.warn);
  if (isUpdate) {
    checkUid(write, textAt(metadata, "uid"), undefined);
  } else for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds"]) drop(metadata, field);
  const time = timestamp(context.clock);
  const { subresource } = target;
  return storeNew(write, draft, {
    track: (next) =>
      withConversions(resource, (versions) =>
        trackWrite({ resource, old: undefined, next, options, time, subresource, versions }),
      ),
    ignoresVersion: isUpdate,
  });
}

/** Decodes and defaults the body of a review, and sets its managedFields. Reviews are not stored. */
export function decodeNew({ context, resource, target, body, options }: WriteRequest): JsonObject {
  const draft = decodeBody(resource, body, options);
  checkNamespace(childDraft(draft, "metadata"), target.namespace);
  const time = timestamp(context.clock);
  return trackWrite({ resource, old: undefined, next: draft, options, time, subresource: "" });
}

/** Rejects a body whose name differs from the name in the URL. */
export function checkName(metadata: Draft, name: string): void {
  const given = textAt(metadata, "name");
  if (given === "")
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** Rejects a body whose namespace differs from that of the request. Drops the namespace of a cluster-scoped object. */
export function checkNamespace(metadata: Draft, namespace: string): void {
  const given = textAt(metadata, "namespace");
  if (namespace === "") drop(metadata, "namespace");
  else if (given === "") metadata["namespace"] = namespace;
  else if (given !== namespace)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

/** How {@link storeNew} treats a new object. */
export interface NewOptions {
  /** Sets managedFields. It runs before admission: no field manager owns what admission sets. */
  track(draft: Draft): Eventually<Draft>;
  /** Whether the resourceVersion of the object is only parsed, as for a create-on-update. */
  readonly ignoresVersion: boolean;
}

/** The second half of a create, shared with apply: from a decoded draft to the store. */
export function storeNew(write: Write, draft: Draft, { track, ignoresVersion }: NewOptions): Eventually<JsonObject> {
  clearSystemFields(write, childDraft(draft, "metadata"));
  return andThen(track(draft), (tracked) => {
    write.options.observe?.("registry: track managedFields");
    return andThen(admitNew(write, tracked, ignoresVersion), ({ request, givenVersion }) =>
      andThen(write.resource.toStored(request.object), (stored) => commitNew(write, request, { stored, givenVersion })),
    );
  });
}

interface AdmittedNew {
  readonly request: AdmissionRequest;
  /** The resourceVersion that the client sent, or that a webhook set. */
  readonly givenVersion: string;
}

/** Admits and validates a new object. */
function admitNew(write: Write, draft: Draft, ignoresVersion: boolean): Eventually<AdmittedNew> {
  const { context, options, target } = write;
  const request = admissionRequest(write, draft, undefined);
  return andThen(context.admission.mutate(request), () => {
    options.observe?.("admission: mutate");
    const metadata = childDraft(request.object, "metadata");
    if (request.object !== draft) {
      checkNamespace(metadata, target.namespace);
      dropDuplicateOwners(metadata, true, options.warn);
      keepValidManagers(metadata, metadataOf(draft), options.warn);
    }
    write.resource.strategy.authorize?.(request.object, undefined, strategyContext(write));
    const givenVersion = ignoresVersion ? "" : textAt(metadata, "resourceVersion");
    if (target.name !== "") resourceVersionOf(metadata);
    identify(write, metadata);
    if (request.name === "") request.name = textAt(metadata, "name");
    prepareNew(write, request.object);
    validateNew(write, request.object);
    options.authorizeCreate?.();
    return andThen(context.admission.validate(request), () => {
      if (request.object !== draft) request.object = pruneAdmitted(write.resource, request.object);
      options.observe?.("admission: validate");
      return { request, givenVersion };
    });
  });
}

/** Removes what only the server sets: mutating admission sees an object without uid and creationTimestamp, and with a name only if one was sent. */
function clearSystemFields({ resource }: Write, metadata: Draft): void {
  for (const field of ["selfLink", "uid", "creationTimestamp"]) drop(metadata, field);
  const rejection = resource.rejectsNew?.();
  if (rejection !== undefined) throw forbidden(resource, textAt(metadata, "name"), rejection);
}

/** Sets the name, uid, creationTimestamp and generation of a new object, after mutating admission. */
function identify(write: Write, metadata: Draft): void {
  const { context, resource } = write;
  for (const field of ["resourceVersion", "selfLink"]) drop(metadata, field);
  chooseName(write, metadata);
  metadata["uid"] = flattened(context.newUid());
  metadata["creationTimestamp"] = timestamp(context.clock);
  // Kinds without a generation keep the client's value, as in kube-apiserver.
  if (resource.strategy.isNewGeneration !== undefined) metadata["generation"] = 1;
}

function prepareNew(write: Write, draft: Draft): void {
  const { resource, options } = write;
  if (hasStatusSubresource(resource)) delete draft["status"];
  resource.strategy.prepareForCreate?.(draft, strategyContext(write));
  resource.strategy.canonicalize?.(draft);
  options.observe?.("registry: prepare");
}

function validateNew(write: Write, object: JsonObject): void {
  const { resource, options } = write;
  const { strategy } = resource;
  const name = textAt(metadataOf(object), "name");
  const wrongType = checkType(resource, object);
  if (wrongType.length > 0) throw invalid(typeOf(object), name, wrongType);
  const errors = checkNewMetadata(object, resource.namespaced, strategy.nameRule);
  if (resource.origin === "builtin") errors.push(...checkBuiltinFinalizers(object));
  const context = { ...strategyContext(write), subresource: "", metadataErrors: [...errors] };
  errors.push(...(strategy.validate?.(object, undefined, context) ?? []));
  if (errors.length > 0) throw invalid(resource, name, errors);
  for (const warning of finalizerWarnings(object, undefined)) options.warn(warning);
  for (const warning of strategy.warn?.(object, undefined) ?? []) options.warn(warning);
  options.observe?.("registry: validate");
}

interface NewObject extends Pick<AdmittedNew, "givenVersion"> {
  /** In its stored form. */
  readonly stored: Draft;
}

/** Charges quotas and stores the object, in one turn. */
function commitNew(
  write: Write,
  request: AdmissionRequest,
  { stored, givenVersion }: NewObject,
): Eventually<JsonObject> {
  const { context, resource, options } = write;
  const draft = request.object;
  const metadata = metadataOf(draft);
  const key = recordKey(textAt(metadata, "namespace"), textAt(metadata, "name"));
  const charge = context.admission.reserve(request);
  if (!options.dryRun && /^\d+$/.test(givenVersion) && Number(givenVersion) !== 0)
    throw new ApiFailure(500, "", "resourceVersion should not be set on objects to be created");
  if (context.store.bucket(resource.bucket).get(key) !== undefined) throw nameTaken(write, draft);
  if (options.dryRun) {
    if (givenVersion !== "") childDraft(stored, "metadata")["resourceVersion"] = givenVersion;
    return readStored(resource, stored);
  }
  charge?.();
  const written = context.store.put(resource.bucket, key, 0, (revision) => withRevision(stored, revision));
  if (isLost(written)) throw nameTaken(write, draft);
  options.observe?.("storage: commit");
  return readStored(resource, written.object);
}

/** Generates an unused name from `generateName` if the metadata has no name. */
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

/** The same string, flattened: V8 keeps a concatenated string as a rope until a character is read. */
function flattened(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** 409: the name is taken, possibly by a terminating object. */
function nameTaken({ context, resource }: Write, object: JsonObject): ApiFailure {
  const metadata = metadataOf(object);
  const name = textAt(metadata, "name");
  const record = context.store.bucket(resource.bucket).get(recordKey(textAt(metadata, "namespace"), name));
  const isTerminating = record !== undefined && metadataOf(record.object)["deletionTimestamp"] !== undefined;
  // A client that sends generateName is asked to retry, even if it also sends a name.
  return (textAt(metadata, "generateName") === "" ? alreadyExists : noUniqueName)(resource, name, isTerminating);
}
