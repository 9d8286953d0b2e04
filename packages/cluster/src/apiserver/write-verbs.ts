import {
  andThen,
  applyObject,
  applyPatchType,
  createObject,
  type Eventually,
  patchObject,
  requirePatchType,
  updateObject,
} from "../registry/index.js";
import { contentTypeOf, type VerbCall, type VerbResult, writeRequest } from "./verb-call.js";

/** PUT of an object or its status; creates a missing object of a kind with AllowCreateOnUpdate. */
export function putVerb(call: VerbCall): Eventually<VerbResult> {
  const write = writeRequest(call, "UpdateOptions");
  const { context, resource, target } = write;
  const key = target.namespace === "" ? target.name : `${target.namespace}/${target.name}`;
  const isCreated =
    resource.strategy.allowCreateOnUpdate === true &&
    (target.subresource === "" || target.subresource === "status") &&
    context.store.bucket(resource.bucket).get(key) === undefined;
  return isCreated
    ? andThen(createObject(write), (object) => ({ kind: "object", status: 201, object }))
    : andThen(updateObject(write), (object) => ({ kind: "object", status: 200, object }));
}

/** PATCH of an object or a subresource, including server-side apply. */
export function patchVerb(call: VerbCall): Eventually<VerbResult> {
  const contentType = contentTypeOf(call.request);
  requirePatchType(call.resource, contentType);
  const isApply = contentType === applyPatchType;
  const write = writeRequest(call, isApply ? "ApplyOptions" : "PatchOptions");
  if (!isApply) return andThen(patchObject(write, contentType), (object) => ({ kind: "object", status: 200, object }));
  return andThen(applyObject(write), ({ object, created }) => ({
    kind: "object",
    status: created ? 201 : 200,
    object,
  }));
}
