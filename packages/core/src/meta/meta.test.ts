import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addFinalizer,
  asDuration,
  type Condition,
  compareVersions,
  containsFinalizer,
  controllerOf,
  durationMs,
  findCondition,
  formatMicroTime,
  formatTime,
  generateName,
  hasOwnerReference,
  isConditionTrue,
  ownerReferenceTo,
  parseDuration,
  removeCondition,
  removeFinalizer,
  removeOwnerReference,
  setCondition,
  setControllerReference,
  setOwnerReference,
} from "./index.js";

const owner = {
  apiVersion: "web.example.com/v1",
  kind: "Website",
  metadata: { name: "a", namespace: "ns", uid: "u1" },
};
const child = { kind: "Deployment", metadata: { name: "c", namespace: "ns" } };

test("setControllerReference makes the owner the controller, once", () => {
  const owned = setControllerReference(child, owner);
  expect(controllerOf(owned)).toEqual({
    apiVersion: "web.example.com/v1",
    kind: "Website",
    name: "a",
    uid: "u1",
    controller: true,
    blockOwnerDeletion: true,
  });
  expect(setControllerReference(owned, owner)).toBe(owned);
  expect(controllerOf(child)).toBeUndefined();
});

test("setControllerReference replaces a reference of another version or uid, and rejects a second controller", () => {
  const owned = setControllerReference(child, owner);
  const newer = { ...owner, apiVersion: "web.example.com/v2", metadata: { ...owner.metadata, uid: "u2" } };
  const moved = setControllerReference(owned, newer);
  expect(moved.metadata).toMatchObject({ ownerReferences: [{ apiVersion: "web.example.com/v2", uid: "u2" }] });
  const other = { ...owner, metadata: { ...owner.metadata, name: "b" } };
  expect(() => setControllerReference(owned, other)).toThrow(
    'Cannot make Website "ns/b" the controller of Deployment "ns/c": it is controlled by Website "a"',
  );
});

test("a namespaced owner cannot own objects outside of its namespace, a cluster-scoped owner can", () => {
  expect(() => setControllerReference({ metadata: { name: "c" } }, owner)).toThrow(/must not have a namespaced owner/);
  expect(() => setOwnerReference({ metadata: { name: "c", namespace: "other" } }, owner)).toThrow(/another namespace/);
  const cluster = { apiVersion: "v1", kind: "Node", metadata: { name: "n", uid: "u" } };
  expect(hasOwnerReference(setOwnerReference(child, cluster), cluster)).toBe(true);
});

test("owner references can be added without controller and removed, and need a uid", () => {
  const owned = setOwnerReference(child, owner);
  expect(controllerOf(owned)).toBeUndefined();
  expect(hasOwnerReference(removeOwnerReference(owned, owner), owner)).toBe(false);
  expect(() => removeOwnerReference(child, owner)).toThrow(/it is not one of its owners/);
  const unsaved = { ...owner, metadata: { name: "a" } };
  expect(() => ownerReferenceTo(unsaved, { controller: true })).toThrow(
    'Cannot refer to owner Website "a": it has no uid',
  );
});

const start = Date.UTC(2030, 0, 1);
const ready = { type: "Ready", status: "True", reason: "Available" } as const;

test("setCondition changes the transition time only with the status, and returns the same array for no change", () => {
  const first = setCondition([], ready, { now: start, observedGeneration: 1 });
  expect(first).toEqual([{ ...ready, message: "", lastTransitionTime: "2030-01-01T00:00:00Z", observedGeneration: 1 }]);
  expect(setCondition(first, ready, { now: start + 5_000, observedGeneration: 1 })).toBe(first);
  const renewed = setCondition(first, { ...ready, message: "x" }, { now: start + 5_000, observedGeneration: 2 });
  expect(renewed[0]).toMatchObject({
    message: "x",
    lastTransitionTime: "2030-01-01T00:00:00Z",
    observedGeneration: 2,
  });
  const flipped = setCondition(first, { ...ready, status: "False" }, { now: start + 5_000 });
  expect(flipped[0]).toMatchObject({ status: "False", lastTransitionTime: "2030-01-01T00:00:05Z" });
});

test("conditions are found, tested and removed by type", () => {
  const conditions: readonly Condition[] = setCondition([], ready, { now: start });
  expect(isConditionTrue(conditions, "Ready")).toBe(true);
  expect(isConditionTrue(undefined, "Ready")).toBe(false);
  expect(findCondition(conditions, "Other")).toBeUndefined();
  expect(removeCondition(conditions, "Other")).toBe(conditions);
  expect(removeCondition(conditions, "Ready")).toEqual([]);
});

test("finalizers are added once and removed, and no change returns the same object", () => {
  const object = { metadata: { finalizers: ["a"] } };
  expect(addFinalizer(object, "a")).toBe(object);
  expect(removeFinalizer(object, "b")).toBe(object);
  const added = addFinalizer(object, "b");
  expect(added.metadata.finalizers).toEqual(["a", "b"]);
  expect(containsFinalizer(removeFinalizer(added, "a"), "a")).toBe(false);
});

test.each([
  ["30s", 30_000],
  ["1m30s", 90_000],
  ["500ms", 500],
  ["1.5h", 5_400_000],
  ["0", 0],
  ["-2s", -2_000],
  ["1h0m.5s", 3_600_500],
])("the duration %s is %d ms", (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each(["", "30", "s", "1d", "1 s", "1s1", "--1s", "1..5s"])("the duration %j is refused", (text) => {
  expect(() => parseDuration(text)).toThrow(/Cannot read duration/);
});

test("an option that is a duration names itself in the error, and is never negative", () => {
  expect(durationMs("timeout", "1m30s")).toBe(90_000);
  expect(durationMs("timeout", `${0.1 + 0.2}s`)).toBeCloseTo(300);
  expect(durationMs("timeout", asDuration("0"))).toBe(0);
  for (const duration of ["-1s", "1e3s", " 5s", `${Number.NaN}s`] as const) {
    expect(() => durationMs("timeout", duration)).toThrow(`Cannot use "${duration}" as "timeout"`);
  }
  expect(() => durationMs("timeout", 5 as never)).toThrow('Cannot use 5 as "timeout"');
  expect(() => asDuration("5 minutes")).toThrow('Cannot read duration "5 minutes"');
});

test("generated names have five characters without vowels, and at most 63 in all", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), fc.double({ min: 0, max: 0.999_999, noNaN: true }), (base, number) => {
      const name = generateName(base, () => number);
      expect(name).toHaveLength(Math.min(base.length, 58) + 5);
      expect(name.slice(-5)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    }),
  );
});

test("versions are ordered by Kubernetes' version priority", () => {
  const sorted = ["foo1", "v10", "v1alpha1", "v2", "v1", "v1beta2", "v11beta2", "v1beta1", "foo10", "v12alpha1"];
  expect(sorted.sort((a, b) => compareVersions(b, a))).toEqual([
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v1beta2",
    "v1beta1",
    "v12alpha1",
    "v1alpha1",
    "foo1",
    "foo10",
  ]);
});

test("times are RFC 3339, to the second or to the microsecond", () => {
  expect(formatTime(start + 999)).toBe("2030-01-01T00:00:00Z");
  expect(formatMicroTime(start + 12)).toBe("2030-01-01T00:00:00.012000Z");
  expect(formatMicroTime(start + 0.25)).toBe("2030-01-01T00:00:00.000250Z");
});
