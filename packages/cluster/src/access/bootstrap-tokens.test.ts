import { FakeClock } from "@kubewright/core/clock";
import type { JsonObject } from "@kubewright/core/json";
import { expect, test } from "vitest";
import { Store } from "../storage/index.js";
import { bootstrapTokens } from "./bootstrap-tokens.js";

const valid = {
  "token-id": "abcdef",
  "token-secret": "0123456789abcdef",
  "usage-bootstrap-authentication": "true",
  expiration: "2030-01-01T01:00:00Z",
};

/** Authenticates the token `abcdef.0123456789abcdef` beside a Secret with these values. */
function authenticate(
  data: Readonly<Record<string, string>>,
  rest: JsonObject = {},
  token = "abcdef.0123456789abcdef",
) {
  const store = new Store({});
  const values = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  const secret = { type: "bootstrap.kubernetes.io/token", data: Object.fromEntries(values), ...rest } as JsonObject;
  store.put("secrets", "kube-system/bootstrap-token-abcdef", 0, () => secret);
  return bootstrapTokens({ store, clock: new FakeClock() }).authenticate({
    bearerToken: token,
    certificate: undefined,
  });
}

test("a bootstrap token is a user of the group system:bootstrappers and of its extra groups", () => {
  const group = "system:bootstrappers:kubeadm:default-node-token";
  expect(authenticate({ ...valid, "auth-extra-groups": group })).toEqual({
    kind: "user",
    user: {
      name: "system:bootstrap:abcdef",
      uid: "",
      groups: ["system:bootstrappers", group, "system:authenticated"],
      extra: {},
    },
  });
});

test.each<[string, Parameters<typeof authenticate>]>([
  ["another secret", [{ ...valid, "token-secret": "another" }]],
  ["another id", [{ ...valid, "token-id": "ghijkl" }]],
  ["another usage", [{ ...valid, "usage-bootstrap-authentication": "false" }]],
  ["an expiration that is over", [{ ...valid, expiration: "2030-01-01T00:00:00Z" }]],
  ["an expiration that is no time", [{ ...valid, expiration: "tomorrow" }]],
  ["a group outside system:bootstrappers", [{ ...valid, "auth-extra-groups": "system:masters" }]],
  ["another type", [valid, { type: "Opaque" }]],
  ["a Secret that is being deleted", [valid, { metadata: { deletionTimestamp: "2030-01-01T00:00:00Z" } }]],
  ["a token of another form", [valid, {}, "abcdef.0123"]],
  ["a token without a Secret", [valid, {}, "zzzzzz.0123456789abcdef"]],
])("a bootstrap token with %s is no user", (_, args) => {
  expect(authenticate(...args)).toEqual({ kind: "none" });
});
