import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, PatchError } from "@kubewright/core/patch";
import { ApiFailure, badRequest, invalid, unsupportedMediaType } from "./api-failure.js";
import { type ChangeTarget, changeObject, checkName } from "./change.js";
import { checkNamespace } from "./create.js";
import { decodeBody } from "./decode-body.js";
import { childDraft, draftOf } from "./draft.js";
import { invalidAt } from "./object-meta.js";
import type { Resource } from "./resource.js";
import type { WriteContext, WriteOptions } from "./write-context.js";

/** A patch as it came: its form by content type, and its value. */
export interface PatchRequest {
  readonly contentType: string;
  readonly patch: JsonValue;
}

/** The media type of server-side apply. */
export const applyPatchType = "application/apply-patch+yaml";

/** The forms of patch that a resource takes. Strategic merge needs Go types, which custom resources have not. */
export function acceptedPatchTypes(resource: Resource): readonly string[] {
  const forms = ["application/json-patch+json", "application/merge-patch+json", applyPatchType];
  if (resource.origin === "custom") return forms;
  return [
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    applyPatchType,
  ];
}

/** Applies a JSON patch, a merge patch or a strategic merge patch to an object, and gives it as it was stored. */
export function patchObject(
  context: WriteContext,
  resource: Resource,
  target: ChangeTarget,
  request: PatchRequest,
  options: WriteOptions,
): JsonObject {
  if (!acceptedPatchTypes(resource).includes(request.contentType))
    throw resource.origin === "custom"
      ? unsupportedMediaType(acceptedPatchTypes(resource))
      : new ApiFailure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  return changeObject(context, resource, target, options, (old) => {
    const patched = applyPatch(resource, old, request);
    if (!isJsonObject(patched)) throw badRequest("the patch does not leave an object");
    const draft = decodeBody(resource, draftOf(patched), {
      ...options,
      refuse: (text) => invalid({ group: "", kind: "" }, "", [invalidAt("patch", JSON.stringify(patched), text)]),
    });
    const metadata = childDraft(draft, "metadata");
    checkName(metadata, target.name);
    checkNamespace(metadata, target.namespace);
    return draft;
  });
}

function applyPatch(resource: Resource, old: JsonObject, { contentType, patch }: PatchRequest): JsonValue {
  try {
    if (contentType === "application/json-patch+json") return applyJsonPatch(old, patch);
    if (!isJsonObject(patch))
      throw badRequest(
        `error decoding patch: json: cannot unmarshal ${Array.isArray(patch) ? "array" : typeof patch} into Go value of type map[string]interface {}`,
      );
    if (contentType === "application/merge-patch+json") return applyMergePatch(old, patch);
    return applyStrategicMergePatch(old, patch, resource.schema());
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const tooMany = /The allowed maximum operations in a JSON patch is .*/.exec(error.message);
    if (tooMany) throw new ApiFailure(413, "RequestEntityTooLarge", `Request entity too large: ${tooMany[0]}`);
    if (error.code === "API_BAD_REQUEST") throw badRequest(error.message);
    throw new ApiFailure(422, "Invalid", "the server rejected our request due to an error in our request", {});
  }
}
