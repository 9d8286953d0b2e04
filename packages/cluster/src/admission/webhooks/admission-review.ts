import type { GroupVersionKind } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import type { User } from "../../access/index.js";
import type { AdmissionRequest, Resource } from "../../registry/index.js";
import { kindOfRequest, type Match, namespaceOfRequest } from "../matching/index.js";

/** The objects of a review, in the version that the webhook expects; undefined if the operation has none. */
export interface ReviewedObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** The `request` of an AdmissionReview without uid and objects: what match conditions read too. */
export function requestOf(request: AdmissionRequest, match: Match): JsonObject {
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

/** An AdmissionReview. v1 and v1beta1 differ only in their apiVersion. */
export function admissionReview(
  version: string,
  uid: string,
  request: JsonObject,
  { object, oldObject }: ReviewedObjects,
): JsonObject {
  const { operation, userInfo, dryRun, options, ...identity } = request;
  return {
    kind: "AdmissionReview",
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      ...identity,
      operation: operation ?? "",
      userInfo: userInfo ?? {},
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun: dryRun ?? false,
      options: options ?? null,
    },
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
