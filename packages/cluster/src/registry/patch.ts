import { cloneJson, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, PatchError } from "@kubewright/core/patch";
import { ApiFailure, badRequest, invalid, unsupportedMediaType } from "./api-failure.js";
import { changeObject } from "./change.js";
import { checkName, checkNamespace } from "./create.js";
import { decodeObject } from "./decode-body.js";
import { childDraft, type Draft, draftOf, sharedDraft } from "./draft.js";
import type { Eventually } from "./eventually.js";
import { jsonTypeOf } from "./go/index.js";
import { normalizeMergePatch } from "./normalize-merge-patch.js";
import { dropDuplicateOwners, invalidAt } from "./object-meta.js";
import type { RequestBody } from "./request-body.js";
import type { Resource } from "./resource.js";
import type { WriteRequest } from "./write-context.js";
import { mayRetry } from "./write-steps.js";

const jsonPatchType = "application/json-patch+json";
const mergePatchType = "application/merge-patch+json";
const strategicMergePatchType = "application/strategic-merge-patch+json";

/** The media type of server-side apply. */
export const applyPatchType = "application/apply-patch+yaml";

/** The patch types of a resource. Custom resources have no Go types, and therefore no strategic merge patch. */
export function acceptedPatchTypes({ origin }: Resource): readonly string[] {
  return origin === "custom"
    ? [jsonPatchType, mergePatchType, applyPatchType]
    : [jsonPatchType, mergePatchType, strategicMergePatchType, applyPatchType];
}

/** Throws a 415 for a patch type that the resource does not accept. */
export function requirePatchType(resource: Resource, contentType: string): void {
  if (acceptedPatchTypes(resource).includes(contentType)) return;
  throw resource.origin === "custom"
    ? unsupportedMediaType(acceptedPatchTypes(resource))
    : new ApiFailure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
}

/** Applies a JSON patch, a merge patch or a strategic merge patch, and returns the object as stored. */
export function patchObject(write: WriteRequest, contentType: string): Eventually<JsonObject> {
  const { context, resource, target, body, options } = write;
  const patch = parsePatch(body, contentType);
  const reject = (why: string): Error => invalid({ group: "", kind: "" }, "", [invalidAt("patch", body.text(), why)]);
  return changeObject(write, {
    make(old) {
      // Parts of the patch become parts of the object. A write that may be retried applies a copy.
      const own = mayRetry(context, resource) ? cloneJson(patch) : patch;
      const patched = applyPatch(resource, old, { contentType, patch: own });
      if (!isJsonObject(patched))
        throw Array.isArray(patched) ? reject("json: cannot unmarshal array into an object") : unprocessable();
      // A JSON patch may move a frozen part to a path where it must be decoded again.
      const isShared = resource.strategy.leavesFrozen === true && isJsonObject(patch);
      const copy: Draft = isShared ? sharedDraft(patched) : draftOf(patched);
      // A strategic merge patch is decoded into the Go type: it cannot change the kind.
      if (contentType === strategicMergePatchType) {
        const { apiVersion = null, kind = null } = old;
        Object.assign(copy, { apiVersion, kind });
      }
      const draft = decodeObject(resource, copy, { options, duplicates: body.duplicates, reject });
      const metadata = childDraft(draft, "metadata");
      checkNamespace(metadata, target.namespace);
      checkName(metadata, target.name);
      dropDuplicateOwners(metadata, true, options.warn);
      return draft;
    },
  });
}

function parsePatch({ value, malformed }: RequestBody, contentType: string): JsonValue {
  const isJsonPatch = contentType === jsonPatchType;
  const isStrategic = contentType === strategicMergePatchType;
  let why = malformed?.message ?? (value === undefined ? "unexpected end of JSON input" : undefined);
  const isExpected = isJsonPatch ? Array.isArray(value) : isJsonObject(value) || (isStrategic && value === null);
  if (why === undefined && !isExpected) {
    const expected = isJsonPatch ? "[]handlers.jsonPatchOp" : "map[string]interface {}";
    why = `json: cannot unmarshal ${jsonTypeOf(value ?? null)} into Go value of type ${expected}`;
  }
  if (why !== undefined) throw badRequest(isStrategic ? why : `error decoding patch: ${why}`);
  return value ?? null;
}

interface ParsedPatch {
  readonly contentType: string;
  readonly patch: JsonValue;
}

function applyPatch(resource: Resource, old: JsonObject, { contentType, patch }: ParsedPatch): JsonValue {
  try {
    if (!isJsonObject(patch)) return patch === null ? old : applyJsonPatch(old, patch);
    return contentType === strategicMergePatchType
      ? applyStrategicMergePatch(old, patch, resource.schema())
      : applyMergePatch(old, normalizeMergePatch(old, patch));
  } catch (error) {
    throw error instanceof PatchError ? patchFailure(error, contentType) : error;
  }
}

function patchFailure({ message }: PatchError, contentType: string): ApiFailure {
  // kube-apiserver responds with a 500 to every failed strategic merge patch but one with a malformed directive.
  if (contentType === strategicMergePatchType)
    return message.startsWith("invalid patch format") ? badRequest(message) : new ApiFailure(500, "", message);
  const tooMany = /The allowed maximum operations in a JSON patch is .*/.exec(message);
  if (tooMany) return new ApiFailure(413, "RequestEntityTooLarge", `Request entity too large: ${tooMany[0]}`);
  return unprocessable();
}

function unprocessable(): ApiFailure {
  return new ApiFailure(422, "Invalid", "the server rejected our request due to an error in our request", {});
}
