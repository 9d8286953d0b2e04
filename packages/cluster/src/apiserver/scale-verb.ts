import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { applyJsonPatch, applyMergePatch } from "@kubewright/core/patch";
import {
  andThen,
  applyObject,
  applyPatchType,
  changeObject,
  type Eventually,
  getObject,
  readableBody,
  requirePatchType,
  type SubresourceForm,
} from "../registry/index.js";
import { scaleConfiguration, scaleOf, scaleToChange, shownScale, withScale } from "./scale.js";
import { contentTypeOf, type VerbCall, type VerbResult, writeRequest } from "./verb-call.js";

/** Reads and writes the replicas of an object as an `autoscaling/v1` Scale. */
export function scaleVerb(call: VerbCall, verb: string): Eventually<VerbResult> {
  const { registry, resource, path, request } = call;
  const respond = (object: JsonObject): VerbResult => ({
    kind: "object",
    status: 200,
    object: scaleOf(resource, object),
    shownAs: shownScale,
  });
  // Admission sees the Scale, not the object behind it.
  const form: SubresourceForm = {
    of: (object) => scaleToChange(resource, object),
    applyTo: (object, scale) => withScale(resource, object, scale),
  };
  if (verb === "get") return andThen(getObject(registry.store, resource, path), respond);
  const contentType = contentTypeOf(request);
  if (verb === "patch") requirePatchType(resource, contentType);
  if (verb === "patch" && contentType === applyPatchType) {
    const write = { ...writeRequest(call, "ApplyOptions"), form };
    return andThen(getObject(registry.store, resource, path), (old) => {
      const body = { ...request.body, value: scaleConfiguration(resource, old, request.body.value) };
      return andThen(applyObject({ ...write, body }), ({ object }) => respond(object));
    });
  }
  const desired = (old: JsonObject): JsonValue | undefined => {
    if (verb === "update") return readableBody("Scale", request.body);
    const scale = scaleToChange(resource, old);
    return contentType === "application/json-patch+json"
      ? applyJsonPatch(scale, request.body.value)
      : applyMergePatch(scale, request.body.value ?? null);
  };
  const write = { ...writeRequest(call, verb === "patch" ? "PatchOptions" : "UpdateOptions"), form };
  return andThen(changeObject(write, { make: (old) => withScale(resource, old, desired(old)) }), respond);
}
