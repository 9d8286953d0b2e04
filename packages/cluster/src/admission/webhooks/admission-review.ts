import type { GroupVersionKind } from "@kubewright/core/identity";
import { cloneJson, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { User } from "../../access/index.js";
import type { AdmissionRequest, Resource } from "../../registry/index.js";
import { kindOfRequest, type Match, namespaceOfRequest } from "../matching/index.js";

/** The objects of a review, in the version that the webhook expects; undefined if the operation has none. */
export interface ReviewedObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** The `request` of an AdmissionReview without uid and objects: what match conditions read. */
export function requestOf(request: AdmissionRequest, match: Match): JsonObject {
  return fill({}, request, match);
}

/** An AdmissionReview. v1 and v1beta1 differ only in their apiVersion. The caller owns it: its objects are copies. */
export function admissionReview(
  request: AdmissionRequest,
  match: Match,
  { version, uid, object, oldObject }: ReviewedObjects & { readonly version: string; readonly uid: string },
): JsonObject {
  const filled = fill({ uid }, request, match);
  filled["object"] = object === undefined ? null : cloneJson(object);
  filled["oldObject"] = oldObject === undefined ? null : cloneJson(oldObject);
  return { kind: "AdmissionReview", apiVersion: `admission.k8s.io/${version}`, request: filled };
}

/** Sets the fields of a request, one by one: this is on the path of every reviewed write. */
function fill(fields: Record<string, JsonValue>, request: AdmissionRequest, match: Match): Record<string, JsonValue> {
  const { resource, subresource, name } = request;
  const namespace = namespaceOfRequest(request);
  fields["kind"] = kindObject(match.kind);
  fields["resource"] = resourceObject(match.resource);
  if (subresource !== "") fields["subResource"] = subresource;
  fields["requestKind"] = kindObject(kindOfRequest(resource, subresource));
  fields["requestResource"] = resourceObject(resource);
  if (subresource !== "") fields["requestSubResource"] = subresource;
  if (name !== "") fields["name"] = name;
  if (namespace !== "") fields["namespace"] = namespace;
  fields["operation"] = request.operation;
  fields["userInfo"] = userObject(request.user);
  fields["dryRun"] = request.dryRun;
  fields["options"] = request.options() ?? null;
  return fields;
}

function kindObject({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceObject({ group, version, plural }: Resource): JsonObject {
  return { group, version, resource: plural };
}

function userObject({ name, uid, groups, extra }: User): JsonObject {
  const user: Record<string, JsonValue> = {};
  if (name !== "") user["username"] = name;
  if (uid !== "") user["uid"] = uid;
  if (groups.length > 0) user["groups"] = [...groups];
  const keys = Object.keys(extra);
  if (keys.length > 0) user["extra"] = Object.fromEntries(keys.map((key) => [key, [...(extra[key] ?? [])]]));
  return user;
}
