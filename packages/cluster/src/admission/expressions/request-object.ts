import type { GroupVersionKind } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import type { User } from "../../access/index.js";
import type { AdmissionRequest, Resource } from "../../registry/index.js";
import { kindOfRequest, type Match, namespaceOfRequest } from "../matching/index.js";

/** The `request` of an AdmissionReview without uid and objects: the variable `request`. */
export function requestObject(request: AdmissionRequest, match: Match): JsonObject {
  const { resource, subresource, name, operation, user, dryRun } = request;
  const namespace = namespaceOfRequest(request);
  const part = subresource === "" ? {} : { subResource: subresource };
  const requestPart = subresource === "" ? {} : { requestSubResource: subresource };
  return {
    kind: kindObject(match.kind),
    resource: resourceObject(match.resource),
    ...part,
    requestKind: kindObject(kindOfRequest(resource, subresource)),
    requestResource: resourceObject(resource),
    ...requestPart,
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: userObject(user),
    dryRun,
    options: request.options() ?? null,
  };
}

function kindObject({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceObject({ group, version, plural }: Resource): JsonObject {
  return { group, version, resource: plural };
}

function userObject({ name, uid, groups, extra }: User): JsonObject {
  return {
    ...(name === "" ? {} : { username: name }),
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0
      ? {}
      : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
  };
}
