import { expect, test } from "vitest";
import type { Draft } from "./draft.js";
import { decodeMergedMeta, isEquallyHollow, withHollow, withHollowShown, withoutHollow } from "./hollow-metadata.js";

/** An object whose merged metadata were decoded. */
function merged(metadata: Draft): Draft {
  decodeMergedMeta(metadata);
  return { kind: "Sample", metadata };
}

test("metadata without content go, and so does what is no metadata", () => {
  const { metadata } = merged({
    name: "a",
    labels: {},
    finalizers: [],
    annotations: { a: "b" },
    extra: 1,
    generation: "x",
  });
  expect(metadata).toEqual({ name: "a", annotations: { a: "b" } });
});

test("what went is stored beside the object, and is not part of what is read", () => {
  const draft = merged({ name: "a", labels: {}, finalizers: null });
  const stored = withHollow(draft, draft);
  expect(stored).not.toEqual(draft);
  expect(withoutHollow(stored)).toEqual(draft);
  expect(withoutHollow(draft)).toBe(draft);
  expect(withHollowShown(draft)["metadata"]).toEqual({ name: "a", labels: {}, finalizers: null });
});

test("a write without them would store something else, one with them would not", () => {
  const draft = merged({ name: "a", labels: {} });
  const plain = merged({ name: "a" });
  const stored = withHollow(draft, draft);
  expect(isEquallyHollow(merged({ name: "a", labels: {} }), stored)).toBe(true);
  expect(isEquallyHollow(plain, stored)).toBe(false);
  expect(isEquallyHollow(merged({ name: "a", labels: null }), stored)).toBe(false);
  expect(withHollow(plain, plain)).toBe(plain);
  expect(isEquallyHollow(plain, plain)).toBe(true);
});
