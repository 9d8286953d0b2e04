import { expect, test } from "vitest";
import type { Draft } from "./draft.js";
import { decodeMergedMeta, isHollow, withHollow, withHollowShown, withoutHollow } from "./hollow-metadata.js";

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

test("a write with them is a change, and so is the first one after it", () => {
  const draft = merged({ name: "a", labels: {} });
  const plain = merged({ name: "a" });
  const stored = withHollow(draft, draft);
  expect(isHollow(merged({ name: "a", labels: {} }), stored)).toBe(true);
  expect(isHollow(plain, stored)).toBe(true);
  expect(isHollow(merged({ name: "a", labels: null }), plain)).toBe(true);
  expect(withHollow(plain, plain)).toBe(plain);
  expect(isHollow(plain, plain)).toBe(false);
});
