import { expect, test } from "vitest";
import { AccessControl, administrator, administratorAuthorizer, clientCertificates, staticToken } from "./index.js";

const access = new AccessControl(administratorAuthorizer, [clientCertificates, staticToken("secret", administrator)]);
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

test("a client certificate names the user by its common name and the groups by its organizations", () => {
  expect(access.authenticate({ bearerToken: undefined, certificate: jane })).toEqual({
    kind: "user",
    user: {
      name: "jane",
      uid: "",
      groups: ["developers", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": ["X509SHA256=ab12"] },
    },
  });
});

test("one valid credential is enough, even if the other is invalid", () => {
  expect(access.authenticate({ bearerToken: "wrong", certificate: jane }).kind).toBe("user");
  expect(access.authenticate({ bearerToken: "secret", certificate: undefined })).toEqual({
    kind: "user",
    user: administrator,
  });
});

test("an invalid token is an error, missing credentials are not", () => {
  expect(access.authenticate({ bearerToken: "wrong", certificate: undefined }).kind).toBe("error");
  expect(access.authenticate({ bearerToken: undefined, certificate: undefined }).kind).toBe("none");
});

test("a removed authenticator no longer authenticates", () => {
  const remove = access.add(staticToken("second", administrator));
  expect(access.authenticate({ bearerToken: "second", certificate: undefined }).kind).toBe("user");
  remove();
  expect(access.authenticate({ bearerToken: "second", certificate: undefined }).kind).toBe("error");
});

test("only members of system:masters may read resources, every user may use discovery", () => {
  const user = { name: "jane", uid: "", groups: ["system:authenticated"], extra: {} };
  const { authorizer } = access;
  expect(authorizer.authorize(administrator, listPods).allowed).toBe(true);
  expect(authorizer.authorize(user, listPods).allowed).toBe(false);
  expect(authorizer.authorize(user, { kind: "path", verb: "get", path: "/apis/apps/v1" }).allowed).toBe(true);
  expect(authorizer.authorize(user, { kind: "path", verb: "get", path: "/metrics" }).allowed).toBe(false);
});

test("the administrator may impersonate, other users may not", () => {
  const headers = { "impersonate-user": "jane", "impersonate-group": "a, b", "impersonate-extra-acme%2fx": "1" };
  expect(access.impersonate(administrator, headers)).toEqual({
    kind: "user",
    user: { name: "jane", uid: "", groups: ["a", "b", "system:authenticated"], extra: { "acme/x": ["1"] } },
  });
  const user = { name: "jane", uid: "", groups: ["system:authenticated"], extra: {} };
  expect(access.impersonate(user, { "impersonate-user": "system:serviceaccount:default:bot" })).toEqual({
    kind: "forbidden",
    user,
    attributes: { ...listPods, verb: "impersonate", resource: "serviceaccounts", name: "bot" },
  });
  expect(access.impersonate(administrator, { "impersonate-group": "a" }).kind).toBe("malformed");
});
