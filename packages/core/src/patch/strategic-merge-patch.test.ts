import fc from "fast-check";
import { expect, test } from "vitest";
import { deepFreeze, type JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { applyStrategicMergePatch } from "./index.js";

const port: Schema = { type: "object", properties: { port: { type: "integer" }, protocol: { type: "string" } } };
const container: Schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    image: { type: "string" },
    args: { type: "array", items: { type: "string" } },
    ports: {
      type: "array",
      items: port,
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "port",
    },
  },
};
const schema: Schema = {
  type: "object",
  properties: {
    finalizers: { type: "array", items: { type: "string" }, "x-kubernetes-patch-strategy": "merge" },
    // As in built-in kinds: the reference is in an allOf with one element.
    spec: {
      default: {},
      allOf: [
        {
          type: "object",
          properties: {
            containers: {
              type: "array",
              items: { allOf: [container] },
              "x-kubernetes-patch-strategy": "merge",
              "x-kubernetes-patch-merge-key": "name",
            },
            strategy: { allOf: [{ type: "object" }], "x-kubernetes-patch-strategy": "retainKeys" },
          },
        },
      ],
    },
  },
};
const patchSpec = (spec: JsonObject, patch: JsonObject): unknown =>
  applyStrategicMergePatch(deepFreeze({ spec }), deepFreeze({ spec: patch }), schema)["spec"];

const web = { name: "web", image: "nginx:1" };
const side = { name: "side", image: "proxy:1" };

test("a list with a merge key merges by that key, at every depth", () => {
  expect(
    patchSpec(
      { containers: [{ ...web, ports: [{ port: 80 }], args: ["a", "b"] }, side] },
      { containers: [{ name: "web", image: "nginx:2", ports: [{ port: 81 }], args: ["c"] }] },
    ),
  ).toEqual({
    containers: [{ name: "web", image: "nginx:2", ports: [{ port: 81 }, { port: 80 }], args: ["c"] }, side],
  });
});

test("a new element of a merged list comes before the server-only elements, as in kube-apiserver", () => {
  expect(patchSpec({ containers: [web] }, { containers: [{ name: "new" }] })).toEqual({
    containers: [{ name: "new" }, web],
  });
});

test("$patch: delete removes an element, $patch: replace replaces a list or an object", () => {
  expect(patchSpec({ containers: [web, side] }, { containers: [{ $patch: "delete", name: "web" }] })).toEqual({
    containers: [side],
  });
  expect(
    patchSpec({ containers: [web, side] }, { containers: [{ $patch: "replace" }, { name: "x", image: null }] }),
  ).toEqual({ containers: [{ name: "x", image: null }] });
  expect(patchSpec({ strategy: { a: 1 } }, { strategy: { $patch: "replace", b: 2 } })).toEqual({ strategy: { b: 2 } });
  expect(patchSpec({ strategy: { a: 1 } }, { strategy: { $patch: "delete" } })).toEqual({ strategy: {} });
  expect(patchSpec({}, { strategy: { $patch: "delete" } })).toEqual({});
});

test("a new element is added unchanged, with its directives", () => {
  const element = { name: "x", probe: { $patch: "delete" } };
  expect(patchSpec({ containers: [web] }, { containers: [element] })).toEqual({ containers: [element, web] });
});

test("$retainKeys drops the fields that it does not name, and rejects a patch that sets others", () => {
  expect(
    patchSpec(
      { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
      { strategy: { $retainKeys: ["type"], type: "Recreate" } },
    ),
  ).toEqual({ strategy: { type: "Recreate" } });
  expect(() => patchSpec({ strategy: {} }, { strategy: { $retainKeys: ["type"], other: 1 } })).toThrow(
    "invalid patch format of retainKeys",
  );
});

test("the merge strategy unites lists of scalars, and $deleteFromPrimitiveList removes elements", () => {
  const target = deepFreeze({ finalizers: ["a", "b"] });
  expect(applyStrategicMergePatch(target, { finalizers: ["c", "b"] }, schema)).toEqual({ finalizers: ["c", "a", "b"] });
  expect(applyStrategicMergePatch(target, { "$deleteFromPrimitiveList/finalizers": ["a"] }, schema)).toEqual({
    finalizers: ["b"],
  });
});

test("$setElementOrder orders the elements that it names, and server-only elements keep their place", () => {
  const target = { containers: [{ name: "a" }, { name: "own" }, { name: "b" }] };
  const order = [{ name: "b" }, { name: "a" }];
  expect(patchSpec(target, { "$setElementOrder/containers": order })).toEqual({
    containers: [{ name: "own" }, { name: "b" }, { name: "a" }],
  });
  expect(
    patchSpec(target, { "$setElementOrder/containers": [...order, { name: "c" }], containers: [{ name: "c" }] }),
  ).toEqual({ containers: [{ name: "own" }, { name: "b" }, { name: "a" }, { name: "c" }] });
  expect(() =>
    patchSpec(target, { "$setElementOrder/containers": order, containers: [{ name: "x", image: "y" }] }),
  ).toThrow(/doesn't match \$setElementOrder list/);
});

test("malformed patches are rejected with kube-apiserver's messages", () => {
  expect(() => patchSpec({ containers: [web] }, { containers: [{ image: "x" }] })).toThrow(
    "map: map[image:x] does not contain declared merge key: name",
  );
  expect(() => patchSpec({ strategy: {} }, { strategy: { $patch: "merge" } })).toThrow(/unknown patch type: merge/);
  expect(() => patchSpec({ containers: [web] }, { containers: ["x"] })).toThrow(/types are not identical/);
});

test("without a schema, objects merge and lists are replaced", () => {
  expect(applyStrategicMergePatch({ a: { b: 1 }, l: [1] }, { a: { c: 2 }, l: [2] }, undefined)).toEqual({
    a: { b: 1, c: 2 },
    l: [2],
  });
});

test("a strategic merge patch without directives is idempotent", () => {
  const containers = fc.uniqueArray(
    fc.record({ name: fc.constantFrom("a", "b", "c", "d"), image: fc.constantFrom("x", "y") }),
    { selector: (element) => element.name },
  );
  fc.assert(
    fc.property(containers, containers, (before, change) => {
      const target = deepFreeze({ spec: { containers: before } });
      const patch = deepFreeze({ spec: { containers: change } });
      const once = applyStrategicMergePatch(target, patch, schema);
      expect(applyStrategicMergePatch(once, patch, schema)).toEqual(once);
    }),
  );
});
