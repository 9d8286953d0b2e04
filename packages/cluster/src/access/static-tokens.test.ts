import { expect, test } from "vitest";
import { parseTokenFile, staticTokens, tokenUsers } from "./static-tokens.js";

test("a token file has a token, a user, a uid and optionally groups per line", () => {
  expect(parseTokenFile('a1,jane,1\r\n\n"b,2",joe,"2","dev,ops"\nc3,sam,,one')).toEqual([
    { token: "a1", user: "jane", uid: "1", groups: [] },
    { token: "b,2", user: "joe", uid: "2", groups: ["dev", "ops"] },
    { token: "c3", user: "sam", uid: "", groups: ["one"] },
  ]);
});

test.each([
  ["a1,jane", /line 1 of the token file: it must have the columns token, user name, uid/],
  ["a1,jane,1\na2,joe,2,dev,ops", /line 2/],
])("a malformed token file is rejected with the line: %j", (text, message) => {
  expect(() => parseTokenFile(text)).toThrow(message);
});

test.each([
  [[{ token: "", user: "jane" }], /token 1: it is empty/],
  [[{ token: "a", user: "" }], /token 1: it has no user name/],
  [
    [
      { token: "a", user: "jane" },
      { token: "a", user: "joe" },
    ],
    /token 2: it is the token of user "jane" too/,
  ],
])("tokens that name no user, or two, are rejected: %j", (users, message) => {
  expect(() => tokenUsers(users)).toThrow(message);
});

test("a token authenticates its user, and no other string does", () => {
  const tokens = staticTokens(tokenUsers([{ token: "a1", user: "jane", uid: "1", groups: ["dev"] }]));
  const authenticate = (bearerToken?: string) => tokens.authenticate({ bearerToken, certificate: undefined });
  expect(authenticate("a1")).toEqual({
    kind: "user",
    user: { name: "jane", uid: "1", groups: ["dev", "system:authenticated"], extra: {} },
  });
  for (const other of ["a", "a11", "", undefined]) expect(authenticate(other)).toEqual({ kind: "none" });
});
