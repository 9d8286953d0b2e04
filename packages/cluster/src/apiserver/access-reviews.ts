import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import type { AccessAttributes, AccessControl, User } from "../access/index.js";
import { badRequest, invalid, metadataOf, objectAt, textAt, textsAt } from "../registry/index.js";
import { requiredFields } from "./request-attributes.js";

/** A decoded review, and what is needed to fill in its status. */
export interface ReviewRequest {
  readonly access: AccessControl;
  /** The user of the request. */
  readonly user: User;
  /** The namespace of the path; empty for cluster-scoped reviews. */
  readonly namespace: string;
  readonly review: JsonObject;
  /** The current time, in the format of object timestamps. */
  readonly time: string;
}

/** The fields that the response adds to a review, by kind. Reviews are not stored. */
const completions: Readonly<Record<string, (request: ReviewRequest) => JsonObject>> = {
  SelfSubjectAccessReview: (request) => ({ status: accessStatus(request) }),
  SubjectAccessReview: (request) => ({ status: accessStatus(request) }),
  LocalSubjectAccessReview: (request) => ({ status: accessStatus(request) }),
  // The only review whose response omits the spec.
  SelfSubjectRulesReview: (request) => ({ spec: {}, status: rulesStatus(request) }),
  SelfSubjectReview: ({ user, time }) => ({
    metadata: { creationTimestamp: time },
    status: { userInfo: userInfo(user) },
  }),
  TokenReview: (request) => ({ status: tokenStatus(request) }),
};

/** Whether objects of a built-in resource are reviews. */
export function isReview({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return /^(authentication|authorization)\.k8s\.io$/.test(group) && Object.hasOwn(completions, kind);
}

/** The review with its status filled in. Throws the rejection of an invalid one. */
export function completeReview(request: ReviewRequest): JsonObject {
  const { review } = request;
  return { ...review, ...completions[textAt(review, "kind")]?.(request) };
}

function accessStatus({ access, user, namespace, review }: ReviewRequest): JsonObject {
  const spec = objectAt(review, "spec");
  const kind = textAt(review, "kind");
  const errors = [...accessErrors(spec, kind, namespace), ...metadataErrors(review)];
  if (errors.length > 0) throw invalid({ group: "authorization.k8s.io", kind: "" }, "", errors);
  const { allowed, reason } = access.authorizer.authorize(
    kind === "SelfSubjectAccessReview" ? user : subjectOf(spec),
    attributesOf(spec),
  );
  return reason === "" ? { allowed } : { allowed, reason };
}

function accessErrors(spec: JsonObject, kind: string, namespace: string): FieldError[] {
  const errors: FieldError[] = [];
  const error = (field: string, badValue: JsonValue, detail: string): void => {
    errors.push({ type: "Invalid", field: `spec.${field}`, badValue, detail });
  };
  const { resourceAttributes, nonResourceAttributes } = spec;
  const isLocal = kind === "LocalSubjectAccessReview";
  if (isJsonObject(nonResourceAttributes) && isLocal)
    error("nonResourceAttributes", nonResourceAttributes, "disallowed on this kind of request");
  else if (isJsonObject(resourceAttributes) && isJsonObject(nonResourceAttributes))
    error("nonResourceAttributes", nonResourceAttributes, "cannot be specified in combination with resourceAttributes");
  else if (!isJsonObject(resourceAttributes) && !isJsonObject(nonResourceAttributes))
    error("resourceAttributes", null, "exactly one of nonResourceAttributes or resourceAttributes must be specified");
  if (kind !== "SelfSubjectAccessReview" && textAt(spec, "user") === "" && textsAt(spec, "groups").length === 0)
    error("user", "", "at least one of user or group must be specified");
  const requested = textAt(objectAt(spec, "resourceAttributes"), "namespace");
  if (isLocal && isJsonObject(resourceAttributes) && requested !== namespace)
    error("resourceAttributes.namespace", requested, "must match metadata.namespace");
  return errors;
}

/** Reviews have no identity: only the namespace of a LocalSubjectAccessReview may be set. */
function metadataErrors(review: JsonObject): FieldError[] {
  const { managedFields: _, namespace, ...rest } = metadataOf(review);
  const isLocal = textAt(review, "kind") === "LocalSubjectAccessReview";
  if (Object.keys(rest).length === 0 && (namespace === undefined || isLocal)) return [];
  return [{ type: "Invalid", field: "metadata", badValue: rest, detail: "must be empty" }];
}

function subjectOf(spec: JsonObject): User {
  const extra = Object.fromEntries(
    Object.keys(objectAt(spec, "extra")).map((key) => [key, textsAt(objectAt(spec, "extra"), key)]),
  );
  return { name: textAt(spec, "user"), uid: textAt(spec, "uid"), groups: textsAt(spec, "groups"), extra };
}

function attributesOf(spec: JsonObject): AccessAttributes {
  const path = spec["nonResourceAttributes"];
  if (isJsonObject(path)) return { kind: "path", verb: textAt(path, "verb"), path: textAt(path, "path") };
  const requested = objectAt(spec, "resourceAttributes");
  const [verb, group, resource, subresource, namespace, name] = (
    ["verb", "group", "resource", "subresource", "namespace", "name"] as const
  ).map((field) => textAt(requested, field)) as [string, string, string, string, string, string];
  const fields = selectedFields(objectAt(requested, "fieldSelector"));
  return { kind: "resource", verb, group, resource, subresource, namespace, name, ...(fields && { fields }) };
}

/** The fields that a review's selector requires to have one value; undefined without a selector. */
function selectedFields(selector: JsonObject): Readonly<Record<string, string>> | undefined {
  const { requirements } = selector;
  const raw = textAt(selector, "rawSelector");
  if (raw !== "") return requiredFields(raw);
  if (!Array.isArray(requirements)) return undefined;
  return Object.fromEntries(
    requirements
      .filter(isJsonObject)
      .filter((one) => textAt(one, "operator") === "In" && textsAt(one, "values").length === 1)
      .map((one) => [textAt(one, "key"), textsAt(one, "values")[0] ?? ""]),
  );
}

function rulesStatus({ access, user, review }: ReviewRequest): JsonObject {
  const namespace = textAt(objectAt(review, "spec"), "namespace");
  if (namespace === "") throw badRequest("no namespace on request");
  const { evaluationError, ...rules } = access.authorizer.rules(user, namespace);
  return { ...(rules as unknown as JsonObject), ...(evaluationError !== "" && { evaluationError }) };
}

function tokenStatus({ access, review }: ReviewRequest): JsonObject {
  const spec = objectAt(review, "spec");
  const token = textAt(spec, "token");
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const audiences = textsAt(spec, "audiences");
  const credentials = { bearerToken: token, certificate: undefined, ...(audiences.length > 0 && { audiences }) };
  const found = access.authenticate(credentials);
  if (found.kind === "user")
    return { authenticated: true, user: userInfo(found.user), audiences: found.audiences ?? [] };
  return { error: found.kind === "error" ? found.why : "invalid bearer token", user: {} };
}

function userInfo({ name, uid, groups, extra }: User): JsonObject {
  return {
    username: name,
    ...(uid === "" ? {} : { uid }),
    groups,
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
