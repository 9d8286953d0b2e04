import { expect, test } from "vitest";
import { builtinResources } from "./builtin-resources.js";
import { checkUid } from "./uid-precondition.js";

const resource = builtinResources().find((one) => one.plural === "configmaps");
if (resource === undefined) throw new Error("Cannot test ConfigMaps: the resource is not served");
const write = { resource, target: { namespace: "ns", name: "a", subresource: "" } };

test("an update without a uid, or with the live object's uid, is accepted", () => {
  expect(() => checkUid(write, "", { metadata: { uid: "1" } })).not.toThrow();
  expect(() => checkUid(write, "1", { metadata: { uid: "1" } })).not.toThrow();
  expect(() => checkUid(write, "", undefined)).not.toThrow();
});

test("an update with another uid is a conflict whose message has both uids and the key", () => {
  expect(() => checkUid(write, "2", { metadata: { uid: "1" } })).toThrow(
    /Key: \/registry\/configmaps\/ns\/a,.* UID in precondition: 2, UID in object meta: 1$/,
  );
  expect(() => checkUid(write, "2", undefined)).toThrow(/UID in object meta: $/);
});
