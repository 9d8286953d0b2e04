import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, type RequestStep, remove, send, subject, wording } from "../test-case.js";
import { create } from "./object-steps.js";
import { configMaps } from "./sample-objects.js";

const authorization = "/apis/authorization.k8s.io/v1";
const authentication = "/apis/authentication.k8s.io/v1";
const selfAccess = `${authorization}/selfsubjectaccessreviews`;
const access = `${authorization}/subjectaccessreviews`;
const localAccess = `${authorization}/namespaces/{ns}/localsubjectaccessreviews`;
const rules = `${authorization}/selfsubjectrulesreviews`;
const self = `${authentication}/selfsubjectreviews`;
const tokens = `${authentication}/tokenreviews`;

const review = (kind: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: "authorization.k8s.io/v1",
  kind,
  metadata,
  spec,
});
const ask = (spec: JsonObject): RequestStep => post(access, review("SubjectAccessReview", spec));
const askSelf = (spec: JsonObject, metadata?: JsonObject): RequestStep =>
  post(selfAccess, review("SelfSubjectAccessReview", spec, metadata));
const askLocal = (spec: JsonObject, metadata?: JsonObject): RequestStep =>
  post(localAccess, review("LocalSubjectAccessReview", spec, metadata));
const askToken = (spec: JsonObject): RequestStep =>
  post(tokens, { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec });
const askIdentity = (extra: Partial<RequestStep>): RequestStep => ({
  ...post(self, { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }),
  ...extra,
});
const pods = { namespace: "{ns}", verb: "list", resource: "pods" };
/** Compares the response without its reason, which names RBAC bindings. */
const verdict = (step: RequestStep): RequestStep => ({
  ...step,
  fields: ["apiVersion", "kind", "spec", "status.allowed", "status.denied"],
});
const jane = { "impersonate-user": "jane" };

/** SubjectAccessReviews, TokenReviews and SelfSubjectReviews. */
export const accessReviews = subject("access-reviews", {
  "system:masters is allowed everything": [
    ...[
      { resourceAttributes: pods },
      { resourceAttributes: { verb: "*", group: "*", resource: "*" } },
      { nonResourceAttributes: { path: "/metrics", verb: "get" } },
    ].map((spec) => verdict(askSelf(spec))),
    verdict({ ...askSelf({ resourceAttributes: pods }), path: `${selfAccess}?dryRun=All` }),
  ],
  "a SubjectAccessReview reports the permissions of another user": [
    verdict(ask({ user: "jane", resourceAttributes: pods })),
    verdict(ask({ user: "jane", groups: ["system:masters"], resourceAttributes: pods })),
    verdict(ask({ groups: ["developers"], resourceAttributes: pods })),
    verdict(ask({ user: "jane", nonResourceAttributes: { path: "/logs", verb: "get" } })),
    verdict(askLocal({ user: "jane", resourceAttributes: pods }, { namespace: "{ns}" })),
    verdict(askLocal({ user: "jane", groups: ["system:masters"], resourceAttributes: pods }, { namespace: "{ns}" })),
  ],
  "an incomplete review is invalid": [
    askSelf({}),
    askSelf({ resourceAttributes: pods, nonResourceAttributes: { path: "/", verb: "get" } }),
    ask({ resourceAttributes: pods }),
    ask({ user: "jane" }),
    askSelf({ resourceAttributes: pods }, { name: "a" }),
    askLocal({ user: "jane", nonResourceAttributes: { path: "/", verb: "get" } }),
    askLocal({ user: "jane", resourceAttributes: { ...pods, namespace: "other" } }),
    post(rules, review("SelfSubjectRulesReview", {})),
    askToken({ token: "" }),
  ],
  "a SelfSubjectReview returns the user's name and groups": [
    askIdentity({ fields: ["apiVersion", "kind", "status.userInfo.username", "status.userInfo.groups"] }),
    post(rules, review("SelfSubjectRulesReview", { namespace: "{ns}" }), {
      fields: ["apiVersion", "kind", "spec", "status.incomplete"],
    }),
  ],
  "a TokenReview of an unknown token is not authenticated": [
    askToken({ token: "unknown" }),
    askToken({ token: "unknown", audiences: ["a"] }),
  ],
  "reviews support only create": wording(
    get(selfAccess),
    get(`${selfAccess}/a`),
    remove(`${access}/a`),
    mergePatch(`${access}/a`, {}),
    send("PUT", tokens, { body: {} }),
    get(`${authorization}/localsubjectaccessreviews`),
  ),
  "reviews are listed by discovery": [get(authorization), get(authentication), get("/apis/authorization.k8s.io")],
  "an impersonated request has the permissions of the impersonated user": [
    get(configMaps, { headers: jane, fields: ["kind"] }),
    get(configMaps, { headers: { ...jane, "impersonate-group": "system:masters" }, fields: ["kind"] }),
    askIdentity({
      headers: {
        ...jane,
        "impersonate-group": "system:masters",
        "impersonate-uid": "u1",
        "impersonate-extra-scopes": "view",
      },
      fields: ["status"],
    }),
    get(configMaps, { headers: { "impersonate-group": "system:masters" } }),
    askIdentity({ headers: { "impersonate-user": "system:serviceaccount:{ns}:bot" } }),
  ],
  "a user without permissions is forbidden": wording(
    get(configMaps, { headers: jane }),
    get(`${configMaps}/a`, { headers: jane }),
    get("/apis/apps/v1/deployments", { headers: jane }),
    create("/api/v1/namespaces", "x", {}, { headers: jane }),
    get("/logs", { headers: jane }),
    get("/api/v1/namespaces/{ns}/pods/a/log", { headers: jane }),
    get("/api/v1/namespaces/{ns}", { headers: jane }),
  ),
});
