import { expect, test } from "vitest";
import { impersonationHeaders } from "./impersonation.js";

test("impersonation uses Kubernetes' headers, with escaped keys and UTF-8 values", () => {
  const extra = { "example.com/role": ["a", "b"], "a%b": ["c"] };
  expect(impersonationHeaders({ user: "jöe", uid: "7", groups: ["x", "y"], extra })).toEqual([
    ...["impersonate-user", "j\u00c3\u00b6e"],
    ...["impersonate-uid", "7"],
    ...["impersonate-group", "x"],
    ...["impersonate-group", "y"],
    ...["impersonate-extra-example.com%2Frole", "a"],
    ...["impersonate-extra-example.com%2Frole", "b"],
    ...["impersonate-extra-a%25b", "c"],
  ]);
});

test.each([
  [{ user: "" }],
  [{ user: "a\r\nx-evil: 1" }],
  [{ user: "a", groups: ["b\n"] }],
  [{ user: "a", extra: { "": ["x"] } }],
  [{ user: "a", extra: { k: ["\u0000"] } }],
])("the impersonation %j is rejected", (impersonation) => {
  expect(() => impersonationHeaders(impersonation)).toThrow(/Cannot impersonate a user: /);
});
