import { expect, test } from "vitest";
import { builtinSchema } from "./builtin-api.js";
import type { Draft } from "./draft.js";
import { conversionError } from "./go-convert.js";

const pod = builtinSchema("io.k8s.api.core.v1.Pod");

test.each<[Draft, string | undefined]>([
  [{ metadata: { labels: { a: 7 } } }, "cannot convert int64 to string"],
  [{ metadata: { labels: { a: true } } }, "unrecognized type: string"],
  [{ metadata: { labels: [] } }, "cannot restore map from slice"],
  [{ metadata: 7 }, "cannot restore struct from: int64"],
  [{ spec: { containers: {} } }, "cannot restore slice from map"],
  [{ spec: { priority: 1.5 } }, "cannot convert float64 to int32"],
  [{ spec: { hostNetwork: "x" } }, "unrecognized type: bool"],
  [{ spec: { priority: 7, nodeName: null } }, undefined],
])("a value of another type is refused: %j", (draft, message) => {
  expect(conversionError(draft, pod)).toBe(message);
});

test("integers that are too large are cut to the bits of their type", () => {
  const draft: Draft = { spec: { priority: 2 ** 33 + 5, activeDeadlineSeconds: 1e21 } };
  expect(conversionError(draft, pod)).toBeUndefined();
  expect(draft["spec"]).toEqual({ priority: 5, activeDeadlineSeconds: -(2 ** 63) });
});
