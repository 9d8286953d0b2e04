import type { JsonObject } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, type RequestStep, remove, subject, wording } from "../test-case.js";
import { create } from "./object-steps.js";
import { configMap, configMaps, pods, secrets } from "./sample-objects.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const roles = `${rbac}/namespaces/{ns}/roles`;
const bindings = `${rbac}/namespaces/{ns}/rolebindings`;
const clusterRoles = `${rbac}/clusterroles`;
const clusterBindings = `${rbac}/clusterrolebindings`;
const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const selfAccess = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const selfReview = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const jane = "jane-{ns}";

/** The same request as another user, by impersonation. */
const as = (user: string, step: RequestStep, headers: Readonly<Record<string, string>> = {}): RequestStep => ({
  ...step,
  headers: { ...step.headers, "impersonate-user": user, ...headers },
});
const rule = (resource: string, ...verbs: string[]): JsonObject => ({ apiGroups: [""], resources: [resource], verbs });
const ofGroup = (group: string, of: JsonObject): JsonObject => ({ ...of, apiGroups: [group] });
const named = (of: JsonObject, ...resourceNames: string[]): JsonObject => ({ ...of, resourceNames });
const users = (...names: string[]): JsonObject[] => names.map((name) => ({ kind: "User", apiGroup, name }));
const refTo = (kind: string, name: string): JsonObject => ({ apiGroup, kind, name });
const access = (verb: string, resource: string, more: JsonObject = {}): RequestStep =>
  post(selfAccess, {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes: { namespace: "{ns}", verb, resource, ...more } },
  });

interface RoleRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Creates a role with these rules, binds it to jane, and waits until a real server's authorizer knows both. */
function grant(name: string, rules: readonly JsonObject[]): RequestStep[] {
  const [first] = rules as unknown as readonly RoleRule[];
  const resourceAttributes = {
    namespace: "{ns}",
    verb: first?.verbs[0] ?? "",
    resource: first?.resources[0] ?? "",
    group: first?.apiGroups[0] ?? "",
    name: first?.resourceNames?.[0] ?? "",
  };
  const spec = { user: jane, resourceAttributes };
  const review = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec };
  return [
    create(roles, name, { rules }),
    create(bindings, name, { roleRef: refTo("Role", name), subjects: users(jane) }),
    post("/apis/authorization.k8s.io/v1/subjectaccessreviews", review, {
      silent: true,
      until: { status: 201, includes: '"allowed":true' },
    }),
  ];
}

/** Requests of users without all rights: RBAC, impersonation, escalation checks, anonymous clients. */
export const accessOfUsers = subject("access", {
  "a user without permissions is forbidden every verb": wording(
    as(jane, get(configMaps)),
    as(jane, get(`${configMaps}?watch=true`)),
    as(jane, get(`${configMaps}/a`)),
    as(jane, get(`${configMaps}/a?watch=true`)),
    as(jane, create(configMaps, "a")),
    as(jane, put(`${configMaps}/a`, configMap("a"))),
    as(jane, mergePatch(`${configMaps}/a`, {})),
    as(jane, remove(`${configMaps}/a`)),
    as(jane, remove(configMaps)),
    as(jane, get(`${pods}/a/log`)),
    as(jane, post(`${pods}/a/eviction`, {})),
    as(jane, get("/api/v1/namespaces/{ns}")),
    as(jane, get("/api/v1/namespaces")),
    as(jane, get("/api/v1/nodes/a")),
    as(jane, get("/apis/example.com/v1/widgets")),
    as(jane, get("/api/v1/watch/namespaces/{ns}/configmaps")),
  ),
  "non-resource URLs follow the bootstrap roles": wording(
    as(jane, get("/metrics")),
    as(jane, get("/logs")),
    as(jane, get("/apis", { fields: ["kind"] })),
    as(jane, get("/healthz")),
    as("system:anonymous", get("/apis")),
    as("system:anonymous", get("/healthz")),
    as("system:anonymous", get("/version", { fields: ["major"] })),
    as("system:anonymous", get(configMaps)),
  ),
  "a malformed timeout is rejected before authorization, and ignored by long-running requests": wording(
    as(jane, get(`${configMaps}?timeout=never`)),
    as(jane, get(`${configMaps}?timeout=never&watch=true`)),
    as(jane, get("/healthz?timeout=never")),
    as(jane, get("/apis/example.com/v1/widgets?timeout=never")),
    ["log", "exec", "attach", "portforward", "proxy", "eviction", "status"].map((part) =>
      get(`${pods}/missing/${part}?timeout=never`),
    ),
  ),
  "a RoleBinding allows what its Role lists": wording(
    grant("reader", [rule("configmaps", "get", "list", "create")]),
    as(jane, create(configMaps, "a")),
    as(jane, get(`${configMaps}/a`)),
    as(jane, remove(`${configMaps}/a`)),
    as(jane, get("/api/v1/configmaps")),
    as(jane, get(secrets)),
    as(jane, access("list", "configmaps")),
    as(jane, access("delete", "configmaps")),
    as(jane, access("list", "configmaps", { namespace: "" })),
  ),
  "resourceNames allow single objects, and lists and watches of one name": wording(
    create(configMaps, "a"),
    grant("named", [named(rule("configmaps", "get", "list", "delete", "deletecollection"), "a")]),
    as(jane, get(`${configMaps}/a`)),
    as(jane, get(`${configMaps}/b`)),
    as(jane, get(`${configMaps}?fieldSelector=metadata.name=a`)),
    as(jane, get(`${configMaps}?fieldSelector=metadata.name=b`)),
    as(jane, get(`${configMaps}?fieldSelector=metadata.name!=a`)),
    // Options that cannot be decoded count for nothing: the name does not, and the request is forbidden before it is rejected.
    as(jane, get(`${configMaps}?fieldSelector=metadata.name=a&labelSelector=%3D`)),
    as(jane, get(`${configMaps}?fieldSelector=metadata.name=a&limit=x`)),
    as(jane, get(`${configMaps}?fieldSelector=metadata.name=a&limit=%2B1`)),
    as(jane, get(`${configMaps}?fieldSelector=metadata.name=a&timeoutSeconds=x`)),
    as(jane, get(`${configMaps}?fieldSelector=metadata.name=a&watch=false&allowWatchBookmarks=x`)),
    as(jane, get(configMaps)),
    as(jane, remove(`${configMaps}?fieldSelector=metadata.name=a`)),
    as(jane, access("get", "configmaps", { name: "a" })),
    as(jane, access("get", "configmaps", { name: "b" })),
    as(jane, access("get", "configmaps")),
  ),
  "subresources and wildcards are rules of their own": wording(
    grant("parts", [
      rule("pods/log", "get"),
      ofGroup("apps", rule("*/scale", "get")),
      ofGroup("*", rule("pods/status", "*")),
    ]),
    as(jane, access("get", "pods")),
    as(jane, access("get", "pods", { subresource: "log" })),
    as(jane, access("get", "deployments", { group: "apps", subresource: "scale" })),
    as(jane, access("update", "deployments", { group: "apps", subresource: "scale" })),
    as(jane, access("patch", "pods", { group: "other.io", subresource: "status" })),
    as(jane, access("*", "pods", { subresource: "status" })),
    as(jane, access("get", "*", { subresource: "scale" })),
  ),
  "an update or apply that creates needs create": wording(
    grant("patcher", [ofGroup("coordination.k8s.io", rule("leases", "update", "patch")), rule("configmaps", "patch")]),
    as(jane, apply(`${configMaps}/a?fieldManager=m`, configMap("a"))),
    as(jane, put("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/a", { metadata: { name: "a" } })),
    create(configMaps, "a"),
    as(
      jane,
      apply(`${configMaps}/a?fieldManager=m`, { ...configMap("a", { k: "1" }), apiVersion: "v1", kind: "ConfigMap" }),
    ),
  ),
  "a role may hold only rules that its author holds": wording(
    grant("author", [
      ofGroup(apiGroup, rule("roles", "create", "update", "patch")),
      rule("configmaps", "get", "list"),
      named(rule("secrets", "get"), "s"),
    ]),
    as(jane, create(roles, "held", { rules: [rule("configmaps", "get")] })),
    as(jane, create(roles, "more", { rules: [rule("configmaps", "get", "delete"), rule("pods", "get", "list")] })),
    as(jane, create(roles, "wild", { rules: [rule("configmaps", "*")] })),
    as(jane, create(roles, "named", { rules: [named(rule("secrets", "get"), "s")] })),
    as(jane, create(roles, "all-secrets", { rules: [rule("secrets", "get")] })),
    as(jane, create(roles, "two", { rules: [named(rule("secrets", "get"), "s", "t")] })),
    as(jane, mergePatch(`${roles}/held`, { rules: [rule("nodes", "get")] })),
    as(jane, mergePatch(`${roles}/held`, { metadata: { labels: { a: "b" } } })),
    as(
      jane,
      apply(`${roles}/applied?fieldManager=m`, {
        apiVersion: `${apiGroup}/v1`,
        kind: "Role",
        metadata: { name: "applied" },
        rules: [rule("pods", "get")],
      }),
    ),
    create(roles, "strong", { rules: [rule("nodes", "get")] }),
    as(jane, mergePatch(`${roles}/strong`, { metadata: { labels: { a: "b" } } })),
    as(jane, mergePatch(`${roles}/strong`, { metadata: { finalizers: ["example.com/x"] } })),
  ),
  "escalate allows roles beyond one's own rules": wording(
    grant("escalator", [ofGroup(apiGroup, rule("roles", "escalate", "create", "patch"))]),
    as(jane, create(roles, "any", { rules: [rule("*", "*")] })),
  ),
  "a binding needs the rules of its role, or bind": wording(
    grant("binder", [
      ofGroup(apiGroup, rule("rolebindings", "create")),
      rule("configmaps", "get"),
      named(ofGroup(apiGroup, rule("clusterroles", "bind")), "view"),
    ]),
    create(roles, "small", { rules: [rule("configmaps", "get")] }),
    create(roles, "large", { rules: [rule("configmaps", "get", "delete")] }),
    as(jane, create(bindings, "small", { roleRef: refTo("Role", "small"), subjects: users("x") })),
    as(jane, create(bindings, "large", { roleRef: refTo("Role", "large"), subjects: users("x") })),
    as(jane, create(bindings, "view", { roleRef: refTo("ClusterRole", "view"), subjects: users("x") })),
    as(jane, create(bindings, "missing", { roleRef: refTo("Role", "missing"), subjects: users("x") })),
    as(jane, create(bindings, "missing-too", { roleRef: refTo("ClusterRole", "missing"), subjects: users("x") })),
    as(jane, create(clusterBindings, "of-{ns}", { roleRef: refTo("ClusterRole", "view"), subjects: users("x") })),
  ),
  "an aggregationRule needs cluster-admin": wording(
    create(clusterRoles, "author-{ns}", {
      rules: [ofGroup(apiGroup, rule("clusterroles", "create")), rule("configmaps", "get")],
    }),
    create(clusterBindings, "author-{ns}", { roleRef: refTo("ClusterRole", "author-{ns}"), subjects: users(jane) }),
    post(
      "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { user: jane, resourceAttributes: { verb: "create", group: apiGroup, resource: "clusterroles" } },
      },
      { silent: true, until: { status: 201, includes: '"allowed":true' } },
    ),
    as(
      jane,
      create(clusterRoles, "sum-{ns}", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "{ns}" } }] } }),
    ),
    as(jane, create(clusterRoles, "held-{ns}", { rules: [rule("configmaps", "get")] })),
  ),
  "impersonation is checked for users, groups, uids and extra fields": wording(
    grant("impersonator", [rule("configmaps", "get")]),
    as("bob", post(selfReview, { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }), {
      "impersonate-group": "g",
      "impersonate-uid": "7",
      "impersonate-extra-acme.com%2fx": "1",
    }),
    as(
      "system:serviceaccount:{ns}:s",
      post(selfReview, { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }),
    ),
    as("system:anonymous", post(selfReview, { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" })),
    get(configMaps, { headers: { "impersonate-group": "g" } }),
    get(configMaps, { headers: { "impersonate-uid": "g" } }),
  ),
  "a ServiceAccount gets the rules of its bindings and groups": wording(
    create(accounts, "bot"),
    create(roles, "bot", { rules: [rule("configmaps", "list")] }),
    create(bindings, "bot", {
      roleRef: refTo("Role", "bot"),
      subjects: [{ kind: "ServiceAccount", name: "bot", namespace: "{ns}" }],
    }),
    create(bindings, "all", {
      roleRef: refTo("ClusterRole", "view"),
      subjects: [{ kind: "Group", apiGroup, name: "system:serviceaccounts:{ns}" }],
    }),
    post(
      "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: {
          user: "system:serviceaccount:{ns}:bot",
          groups: ["system:serviceaccounts:{ns}"],
          resourceAttributes: { namespace: "{ns}", verb: "get", resource: "pods" },
        },
      },
      { silent: true, until: { status: 201, includes: '"allowed":true' } },
    ),
    as("system:serviceaccount:{ns}:bot", get(configMaps)),
    as("system:serviceaccount:{ns}:bot", get(pods)),
    as("system:serviceaccount:{ns}:bot", get(secrets)),
    as("system:serviceaccount:{ns}:other", get(pods)),
    as("system:serviceaccount:other:bot", get(pods)),
  ),
});
