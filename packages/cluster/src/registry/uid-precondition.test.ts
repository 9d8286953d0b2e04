import { expect, test } from "vitest";
import { builtinResources } from "./builtin-resources.js";
import { checkUid, type UpdatedPlace } from "./uid-precondition.js";

const resources = builtinResources();

/** Where an object called `a` of a built-in kind lies. */
function placeOf(plural: string, more: Partial<UpdatedPlace> = {}): UpdatedPlace {
  const resource = resources.find((one) => one.plural === plural);
  if (resource === undefined) throw new Error(`Cannot test ${plural}: there is no such resource`);
  return { resource, namespace: resource.namespaced ? "ns" : "", name: "a", dryRun: false, ...more };
}

test("an update that names no uid, or the right one, goes on", () => {
  const place = placeOf("configmaps");
  expect(() => checkUid(place, "", { metadata: { uid: "1" } })).not.toThrow();
  expect(() => checkUid(place, "1", { metadata: { uid: "1" } })).not.toThrow();
  expect(() => checkUid(place, "", undefined)).not.toThrow();
});

test("another uid is a conflict that names both", () => {
  const refused = expect(() => checkUid(placeOf("configmaps"), "2", { metadata: { uid: "1" } }));
  refused.toThrow("Precondition failed: UID in precondition: 2, UID in object meta: 1");
  expect(() => checkUid(placeOf("configmaps"), "2", undefined)).toThrow(/UID in object meta: $/);
});

test("the conflict names the key as a real server stores it", () => {
  const keyOf = (place: UpdatedPlace): string | undefined => {
    try {
      checkUid(place, "2", undefined);
      return undefined;
    } catch (error) {
      return /Key: (\S+),/.exec(String(error))?.[1];
    }
  };
  expect(keyOf(placeOf("configmaps"))).toBe("/registry/configmaps/ns/a");
  expect(keyOf(placeOf("services"))).toBe("/registry/services/specs/ns/a");
  expect(keyOf(placeOf("nodes", { dryRun: true }))).toBe("/minions/a");
  const custom = {
    ...placeOf("configmaps").resource,
    origin: "custom",
    group: "example.com",
    plural: "samples",
  } as const;
  expect(keyOf(placeOf("configmaps", { resource: custom }))).toBe("/registry/example.com/samples/ns/a");
});
