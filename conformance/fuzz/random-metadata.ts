import type { JsonObject, JsonValue } from "@kubewright/core/json";
import type { Chooser } from "./chooser.js";

const keys = ["app", "tier", "example.com/part", "a.b/c", "x_y"];
const badKeys = ["-bad", "a/b/c", "", "Upper.Case/x", "a b", `${"k".repeat(64)}`, "__proto__", "é"];
const values = ["web", "db", "1", "", "a_b.c", "true"];
const badValues = ["-x", "with space", "v".repeat(64), "é", "a/b"];

/** Plain strings, and strings that are hard to encode. */
export const strings = [
  ...["", "a", "two words", 'quo"te', "line\nbreak", "tab\t", "é ü ✓", "<&>", "\u2028"],
  ...["0", "null", "{}"],
];

/** A value of any type. */
export function anyValue(choose: Chooser): JsonValue {
  return choose.of<JsonValue>([
    ...[null, true, 0, -1, 7, 1.5, 1e21, 9007199254740992, "", "text", "1"],
    ...[{}, [], [null], ["a", "a"], { a: null }, { name: "x" }, [{ name: "x" }], [[]]],
  ]);
}

/** Labels, sometimes invalid. */
export function randomLabels(choose: Chooser): JsonObject {
  const labels: [string, JsonValue][] = choose.some(keys, 3).map((key) => [key, choose.of(values)]);
  if (choose.chance(4)) labels.push([choose.of(badKeys), choose.of(values)]);
  if (choose.chance(4)) labels.push([choose.of(keys), choose.of(badValues)]);
  return Object.fromEntries(labels);
}

/** Metadata of an object of this name: mostly user fields, sometimes server-set ones. */
export function randomMetadata(choose: Chooser, name: string, isDry: boolean): JsonObject {
  const metadata: [string, JsonValue][] = [["name", name]];
  const maybe = (percent: number, key: string, make: () => JsonValue): void => {
    if (choose.chance(percent)) metadata.push([key, make()]);
  };
  maybe(50, "labels", () => randomLabels(choose));
  maybe(25, "annotations", () =>
    Object.fromEntries([
      ...choose.some(keys, 2).map((key) => [key, choose.of(strings)] as const),
      ...(choose.chance(5) ? [[choose.of(badKeys), "x"] as const] : []),
    ]),
  );
  maybe(8, "finalizers", () => choose.some(["example.com/hold", "example.com/other", "kubernetes", "bad name"], 2));
  maybe(3, "namespace", () => choose.of(["{ns}", "other", ""]));
  maybe(2, "generateName", () => "made-");
  maybe(2, "resourceVersion", () => choose.of(["1", "0", "", "abc"]));
  maybe(2, "uid", () => choose.of(["11111111-2222-3333-4444-555555555555", "", "x"]));
  maybe(3, "generation", () => choose.of([0, 1, 7, -1]));
  maybe(2, "creationTimestamp", () => choose.of<JsonValue>(["2020-01-01T00:00:00Z", null, "never"]));
  maybe(2, "deletionTimestamp", () => choose.of<JsonValue>(["2020-01-01T00:00:00Z", null]));
  maybe(2, "deletionGracePeriodSeconds", () => choose.of([0, 30]));
  maybe(2, "managedFields", () => choose.of<JsonValue>([[], [{}], null]));
  maybe(1, "selfLink", () => "/self");
  maybe(1, "unknownMeta", () => anyValue(choose));
  // The garbage collector would delete a stored object with missing owners asynchronously.
  if (!isDry) maybe(6, "ownerReferences", () => standingOwners(choose));
  else maybe(15, "ownerReferences", () => [randomOwner(choose), ...(choose.chance(30) ? [randomOwner(choose)] : [])]);
  return Object.fromEntries(metadata);
}

/** The namespace of the case, once or twice: an owner that exists. */
function standingOwners(choose: Chooser): JsonValue {
  const owner = (): JsonObject => ({
    apiVersion: "v1",
    kind: "Namespace",
    name: "{ns}",
    uid: "{nsUid}",
    ...(choose.chance(40) ? { controller: choose.chance(70) } : {}),
    ...(choose.chance(30) ? { blockOwnerDeletion: choose.chance(70) } : {}),
  });
  return choose.chance(25) ? [owner(), owner()] : [owner()];
}

function randomOwner(choose: Chooser): JsonObject {
  return {
    apiVersion: choose.of(["v1", "apps/v1", "", "a/b/c"]),
    kind: choose.of(["ConfigMap", "Deployment", "", "Event"]),
    name: choose.of(["a", "b", ""]),
    uid: choose.of(["1", "2", ""]),
    ...(choose.chance(40) ? { controller: choose.chance(70) } : {}),
    ...(choose.chance(20) ? { blockOwnerDeletion: true } : {}),
  };
}
