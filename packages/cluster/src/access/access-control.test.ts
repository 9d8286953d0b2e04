import { expect, test } from "vitest";
import { Store } from "../storage/index.js";
import {
  AccessControl,
  administrator,
  authenticatedUser,
  ClusterAuthorizer,
  clientCertificates,
  serviceAccountUser,
  staticTokens,
  type User,
} from "./index.js";

const group = "rbac.authorization.k8s.io";
const store = new Store();
const access = new AccessControl({
  authorizer: new ClusterAuthorizer(store, () => []),
  authenticators: [clientCertificates, staticTokens([["secret", administrator]])],
  audience: "api",
});
const jane = { commonName: "jane", organizations: ["developers"], fingerprint: "ab12" };
const listPods = {
  kind: "resource",
  verb: "list",
  group: "",
  resource: "pods",
  subresource: "",
  namespace: "default",
  name: "",
} as const;

/** Grants rules to a user by a ClusterRole and a ClusterRoleBinding. */
function grant(user: string, ...rules: { verbs: string[]; apiGroups: string[]; resources: string[] }[]): void {
  const metadata = { name: user };
  const roleRef = { apiGroup: group, kind: "ClusterRole", name: user };
  store.put(`clusterroles.${group}`, user, 0, () => ({ metadata, rules }));
  store.put(`clusterrolebindings.${group}`, user, 0, () => ({
    metadata,
    roleRef,
    subjects: [{ kind: "User", name: user }],
  }));
}

const impersonate = (user: User, headers: Record<string, string>) => access.impersonate({ user, headers }, listPods);

test("a client certificate names the user by its common name and the groups by its organizations", () => {
  expect(access.authenticate({ bearerToken: undefined, certificate: jane })).toEqual({
    kind: "user",
    user: {
      name: "jane",
      uid: "",
      groups: ["developers", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": ["X509SHA256=ab12"] },
    },
    audiences: ["api"],
  });
});

test("one valid credential is enough, even if the other is invalid", () => {
  expect(access.authenticate({ bearerToken: "wrong", certificate: jane }).kind).toBe("user");
  expect(access.authenticate({ bearerToken: "secret", certificate: undefined })).toEqual({
    kind: "user",
    user: administrator,
    audiences: ["api"],
  });
});

test("an invalid token is an error, missing credentials are not", () => {
  expect(access.authenticate({ bearerToken: "wrong", certificate: undefined })).toEqual({
    kind: "error",
    why: "invalid bearer token",
  });
  expect(access.authenticate({ bearerToken: undefined, certificate: undefined }).kind).toBe("none");
});

test("a static token is for the API server only", () => {
  const credentials = { bearerToken: "secret", certificate: undefined };
  expect(access.authenticate({ ...credentials, audiences: ["vault"] }).kind).toBe("error");
  expect(access.authenticate({ ...credentials, audiences: ["vault", "api"] })).toMatchObject({ audiences: ["api"] });
});

test("a removed authenticator no longer authenticates", () => {
  const remove = access.add(staticTokens([["second", administrator]]));
  expect(access.authenticate({ bearerToken: "second", certificate: undefined }).kind).toBe("user");
  remove();
  expect(access.authenticate({ bearerToken: "second", certificate: undefined }).kind).toBe("error");
});

test("the administrator may impersonate any user, with groups and extra fields", () => {
  const headers = { "impersonate-user": "jane", "impersonate-group": "a, b", "impersonate-extra-acme%2fx": "1" };
  expect(impersonate(administrator, headers)).toEqual({
    kind: "user",
    user: { name: "jane", uid: "", groups: ["a", "b", "system:authenticated"], extra: { "acme/x": ["1"] } },
  });
  expect(impersonate(administrator, { "impersonate-group": "a" }).kind).toBe("malformed");
});

test("repeated headers are not split at commas", () => {
  const request = { user: administrator, headers: { "impersonate-user": "jane", "impersonate-group": "a,b" } };
  const repeatedHeaders = new Map([["impersonate-group", ["cn=a,ou=b"]]]);
  expect(access.impersonate({ ...request, repeatedHeaders }, listPods)).toMatchObject({
    user: { groups: ["cn=a,ou=b", "system:authenticated"] },
  });
});

test("an impersonated ServiceAccount has its groups, the anonymous user is unauthenticated", () => {
  const account = impersonate(administrator, { "impersonate-user": "system:serviceaccount:default:bot" });
  expect(account).toMatchObject({ user: { groups: serviceAccountUser("default", "bot").groups } });
  const anonymous = impersonate(administrator, { "impersonate-user": "system:anonymous" });
  expect(anonymous).toMatchObject({ user: { groups: ["system:unauthenticated"] } });
});

test("a user needs `impersonate` on the user, on each group and on each extra value", () => {
  const bob = authenticatedUser("bob", []);
  grant("bob", { verbs: ["impersonate"], apiGroups: [""], resources: ["users"] });
  expect(impersonate(bob, { "impersonate-user": "jane" })).toMatchObject({ kind: "user", user: { name: "jane" } });
  expect(impersonate(bob, { "impersonate-user": "jane", "impersonate-group": "a" }).kind).toBe("forbidden");
});

test("constrained impersonation needs permissions on the user and on the request, and its rejection comes first", () => {
  const eve = authenticatedUser("eve", []);
  expect(impersonate(eve, { "impersonate-user": "jane" })).toMatchObject({
    kind: "forbidden",
    attributes: { ...listPods, verb: "impersonate-on:user-info:list" },
  });
  grant(
    "eve",
    { verbs: ["impersonate-on:user-info:list"], apiGroups: [""], resources: ["pods"] },
    { verbs: ["impersonate:user-info"], apiGroups: ["authentication.k8s.io"], resources: ["users", "groups"] },
  );
  expect(impersonate(eve, { "impersonate-user": "jane", "impersonate-group": "a" }).kind).toBe("user");
  expect(impersonate(eve, { "impersonate-user": "jane", "impersonate-group": "system:masters" })).toMatchObject({
    kind: "forbidden",
    reason: "impersonating the system:masters group is not allowed",
  });
  expect(impersonate(eve, { "impersonate-user": "system:serviceaccount:default:bot" }).kind).toBe("forbidden");
});
