import type { GroupVersionKind } from "@kubewright/core/identity";
import type { JsonObject, JsonValue } from "@kubewright/core/json";
import type { User } from "../../access/index.js";
import type { AdmissionRequest, Resource } from "../../registry/index.js";
import { kindOfRequest, type Match, namespaceOfRequest } from "../matching/index.js";

/** The `request` of an AdmissionReview without uid and objects: the variable `request`. */
export function requestObject(request: AdmissionRequest, match: Match): JsonObject {
  const { resource, subresource, name } = request;
  const namespace = namespaceOfRequest(request);
  // Field by field: this is on the path of every reviewed write.
  const fields: Record<string, JsonValue> = {
    kind: kindObject(match.kind),
    resource: resourceObject(match.resource),
  };
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
