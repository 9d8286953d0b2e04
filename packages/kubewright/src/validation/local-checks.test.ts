import { expect, test } from "vitest";
import { z } from "zod";
import { defineKind, defineResource } from "../definition/index.js";
import { checkLocally } from "./index.js";

const Pool = defineResource({
  group: "example.com",
  kind: "Pool",
  versions: {
    v1: {
      spec: z.object({
        size: z.int32().min(1).default(3),
        color: z.enum(["red", "blue"]),
        note: z.string().optional(),
      }),
      rules: [{ rule: "self.spec.size < 10" }],
    },
  },
});
const pool = (spec: object) => ({ apiVersion: "example.com/v1", kind: "Pool", metadata: { name: "a" }, spec });

test("an object is defaulted and pruned, and neither is an error", () => {
  expect(checkLocally(Pool, pool({ color: "red", colour: "blue" }))).toEqual({
    object: pool({ color: "red", size: 3 }),
    unknownFields: ["spec.colour"],
    errors: [],
    warnings: [],
  });
});

const unchecked =
  "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

test("schema violations are reported with the server's messages", () => {
  expect([...checkLocally(Pool, pool({ color: "green", size: 0, note: 7 })).errors].sort()).toEqual(
    [
      'spec.color: Unsupported value: "green": supported values: "red", "blue"',
      'spec.note: Invalid value: "integer": spec.note in body must be of type string: "integer"',
      "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1",
      unchecked,
    ].sort(),
  );
  expect(checkLocally(Pool, { metadata: {} }).errors).toEqual(["spec: Required value", unchecked]);
});

test("CEL rules are evaluated; an unchanged value that breaks one is a warning", () => {
  const broken = "<nil>: Invalid value: failed rule: self.spec.size < 10";
  expect(checkLocally(Pool, pool({ color: "red", size: 12 })).errors).toEqual([broken]);
  const old = pool({ color: "red", size: 12 });
  expect(checkLocally(Pool, old, old)).toMatchObject({ errors: [], warnings: [broken] });
});

test("unchanged invalid values are not rejected on update (validation ratcheting)", () => {
  const old = pool({ color: "green", size: 2 });
  expect(checkLocally(Pool, pool({ color: "green", size: 3 }), old).errors).toEqual([]);
  expect(checkLocally(Pool, pool({ color: "black", size: 3 }), old).errors).toHaveLength(2);
});

test("a kind without a definition, and a value that is not an object, cannot be checked", () => {
  const pods = defineKind({ group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" });
  expect(() => checkLocally(pods, {})).toThrow("Cannot check Pod objects: the kind was not made by defineResource");
  expect(() => checkLocally(Pool, [])).toThrow("Cannot check Pool: it is not an object");
});

test("an embedded object needs apiVersion and kind, also in lists and maps", () => {
  const object = z.looseObject({}).meta({ "x-kubernetes-embedded-resource": true });
  const spec = z.object({ list: z.array(object).optional(), map: z.record(z.string(), object).optional() });
  const Holder = defineResource({ group: "example.com", kind: "Holder", versions: { v1: { spec } } });
  const { errors } = checkLocally(Holder, {
    spec: { list: [{ apiVersion: "v1", kind: "Pod" }, {}], map: { a: { apiVersion: "a/b/c", kind: "A_b" } } },
  });
  expect(errors).toEqual([
    "spec.list[1].apiVersion: Required value",
    "spec.list[1].kind: Required value",
    'spec.map[a].apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    expect.stringContaining('spec.map[a].kind: Invalid value: "A_b": may have mixed case, but should otherwise match'),
  ]);
});
