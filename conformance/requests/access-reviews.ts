import { get, mergePatch, post, remove, type Subject, send, testCase, wordingCase } from "../test-case.js";
import { create } from "./object-steps.js";

const authorization = "/apis/authorization.k8s.io/v1";
const authentication = "/apis/authentication.k8s.io/v1";
const selfAccess = `${authorization}/selfsubjectaccessreviews`;
const access = `${authorization}/subjectaccessreviews`;
const localAccess = `${authorization}/namespaces/{ns}/localsubjectaccessreviews`;
const rules = `${authorization}/selfsubjectrulesreviews`;
const self = `${authentication}/selfsubjectreviews`;
const tokens = `${authentication}/tokenreviews`;

const review = (kind: string, spec: object, metadata: object = {}) =>
  ({ apiVersion: "authorization.k8s.io/v1", kind, metadata, spec }) as never;
const authReview = (kind: string, spec?: object) =>
  ({ apiVersion: "authentication.k8s.io/v1", kind, ...(spec && { spec }) }) as never;
const pods = { namespace: "{ns}", verb: "list", resource: "pods" };
/** The reason is left out: it names RBAC bindings. */
const verdict = ["apiVersion", "kind", "spec", "status.allowed", "status.denied"];

/** Reviews of who a user is and what it may do. */
export const accessReviews: Subject = {
  name: "access-reviews",
  cases: [
    testCase(
      "the administrator may do everything",
      post(selfAccess, review("SelfSubjectAccessReview", { resourceAttributes: pods }), { fields: verdict }),
      post(
        selfAccess,
        review("SelfSubjectAccessReview", { resourceAttributes: { verb: "*", group: "*", resource: "*" } }),
        { fields: verdict },
      ),
      post(
        selfAccess,
        review("SelfSubjectAccessReview", { nonResourceAttributes: { path: "/metrics", verb: "get" } }),
        { fields: verdict },
      ),
      post(`${selfAccess}?dryRun=All`, review("SelfSubjectAccessReview", { resourceAttributes: pods }), {
        fields: verdict,
      }),
    ),
    testCase(
      "a SubjectAccessReview asks for another user",
      post(access, review("SubjectAccessReview", { user: "jane", resourceAttributes: pods }), { fields: verdict }),
      post(
        access,
        review("SubjectAccessReview", { user: "jane", groups: ["system:masters"], resourceAttributes: pods }),
        { fields: verdict },
      ),
      post(access, review("SubjectAccessReview", { groups: ["developers"], resourceAttributes: pods }), {
        fields: verdict,
      }),
      post(
        access,
        review("SubjectAccessReview", { user: "jane", nonResourceAttributes: { path: "/logs", verb: "get" } }),
        { fields: verdict },
      ),
      post(
        localAccess,
        review("LocalSubjectAccessReview", { user: "jane", resourceAttributes: pods }, { namespace: "{ns}" }),
        { fields: verdict },
      ),
      post(
        localAccess,
        review(
          "LocalSubjectAccessReview",
          { user: "jane", groups: ["system:masters"], resourceAttributes: pods },
          { namespace: "{ns}" },
        ),
        { fields: verdict },
      ),
    ),
    testCase(
      "a review that does not say what is asked is invalid",
      post(selfAccess, review("SelfSubjectAccessReview", {})),
      post(
        selfAccess,
        review("SelfSubjectAccessReview", {
          resourceAttributes: pods,
          nonResourceAttributes: { path: "/", verb: "get" },
        }),
      ),
      post(access, review("SubjectAccessReview", { resourceAttributes: pods })),
      post(access, review("SubjectAccessReview", { user: "jane" })),
      post(selfAccess, review("SelfSubjectAccessReview", { resourceAttributes: pods }, { name: "a" })),
      post(
        localAccess,
        review("LocalSubjectAccessReview", { user: "jane", nonResourceAttributes: { path: "/", verb: "get" } }),
      ),
      post(
        localAccess,
        review("LocalSubjectAccessReview", { user: "jane", resourceAttributes: { ...pods, namespace: "other" } }),
      ),
      post(rules, review("SelfSubjectRulesReview", {})),
      post(tokens, authReview("TokenReview", { token: "" })),
    ),
    testCase(
      "a user learns its name and its groups",
      post(self, authReview("SelfSubjectReview"), {
        fields: ["apiVersion", "kind", "status.userInfo.username", "status.userInfo.groups"],
      }),
      post(rules, review("SelfSubjectRulesReview", { namespace: "{ns}" }), {
        fields: ["apiVersion", "kind", "spec", "status.incomplete"],
      }),
    ),
    testCase(
      "a token that is unknown is not authenticated",
      post(tokens, authReview("TokenReview", { token: "unknown" })),
      post(tokens, authReview("TokenReview", { token: "unknown", audiences: ["a"] })),
    ),
    wordingCase(
      "reviews are only created",
      get(selfAccess),
      get(`${selfAccess}/a`),
      remove(`${access}/a`),
      mergePatch(`${access}/a`, {}),
      send("PUT", tokens, { body: {} }),
      get(`${authorization}/localsubjectaccessreviews`),
    ),
    testCase(
      "reviews are listed by discovery",
      get(authorization),
      get(authentication),
      get("/apis/authorization.k8s.io"),
    ),
    testCase(
      "a request in the name of another user has the rights of that user",
      get("/api/v1/namespaces/{ns}/configmaps", { headers: { "impersonate-user": "jane" }, fields: ["kind"] }),
      get("/api/v1/namespaces/{ns}/configmaps", {
        headers: { "impersonate-user": "jane", "impersonate-group": "system:masters" },
        fields: ["kind"],
      }),
      post(self, authReview("SelfSubjectReview"), {
        headers: {
          "impersonate-user": "jane",
          "impersonate-group": "system:masters",
          "impersonate-uid": "u1",
          "impersonate-extra-scopes": "view",
        },
        fields: ["status"],
      }),
      get("/api/v1/namespaces/{ns}/configmaps", { headers: { "impersonate-group": "system:masters" } }),
      post(self, authReview("SelfSubjectReview"), {
        headers: { "impersonate-user": "system:serviceaccount:{ns}:bot" },
      }),
    ),
    wordingCase(
      "a user without rights is forbidden",
      get("/api/v1/namespaces/{ns}/configmaps", { headers: { "impersonate-user": "jane" } }),
      get("/api/v1/namespaces/{ns}/configmaps/a", { headers: { "impersonate-user": "jane" } }),
      get("/apis/apps/v1/deployments", { headers: { "impersonate-user": "jane" } }),
      create("/api/v1/namespaces", "x", {}, { headers: { "impersonate-user": "jane" } }),
      get("/logs", { headers: { "impersonate-user": "jane" } }),
      get("/api/v1/namespaces/{ns}/pods/a/log", { headers: { "impersonate-user": "jane" } }),
      get("/api/v1/namespaces/{ns}", { headers: { "impersonate-user": "jane" } }),
    ),
  ],
};
