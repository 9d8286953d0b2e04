import { expect, test } from "vitest";
import { z } from "zod";
import { crdOf, defineResource } from "./index.js";
import { unsafeChanges } from "./unsafe-changes.js";

const of = (spec: z.ZodObject, more: object = {}) =>
  crdOf(defineResource({ group: "example.com", kind: "Pool", versions: { v1: { spec, ...more } } }));
const change = (before: z.ZodType, after: z.ZodType) =>
  unsafeChanges(of(z.object({ a: before })), of(z.object({ a: after })));

const safe: [string, z.ZodType, z.ZodType][] = [
  ["nothing changes", z.string().min(1), z.string().min(1)],
  ["a limit widens", z.int32().min(2).max(5), z.int32().min(1).max(9)],
  ["an enum value is added", z.enum(["x"]), z.enum(["x", "y"])],
  ["an optional field is added", z.object({ b: z.string() }), z.object({ b: z.string(), c: z.string().optional() })],
  ["a required field has a default", z.object({}), z.object({ c: z.string().default("x") })],
  ["null is allowed", z.string(), z.string().nullable()],
  ["a field becomes optional", z.object({ b: z.string() }), z.object({ b: z.string().optional() })],
  ["a list may hold more", z.array(z.string()).max(2), z.array(z.string()).max(3)],
];
test.each(safe)("a change is safe when %s", (_, before, after) => {
  expect(change(before, after)).toEqual([]);
});

const unsafe: [string, z.ZodType, z.ZodType, string][] = [
  ["a type changes", z.string(), z.int32(), "the type changes from string to integer"],
  ["a limit narrows", z.int32().max(5), z.int32().max(4), '"maximum" is lowered to 4'],
  ["a limit is new", z.string(), z.string().min(1), '"minLength" is raised to 1'],
  ["an enum value is removed", z.enum(["x", "y"]), z.enum(["x"]), 'no longer allowed: "y"'],
  ["an enum is new", z.string(), z.enum(["x"]), "only some values are allowed"],
  ["a pattern is new", z.string(), z.string().regex(/^a/), '"pattern" is new'],
  ["null is forbidden", z.string().nullable(), z.string(), "null is no longer allowed"],
  ["unknown fields are pruned", z.looseObject({}), z.object({}), "unknown fields are pruned"],
];
test.each(unsafe)("a change is reported as unsafe when %s", (_, before, after, problem) => {
  expect(change(before, after)).toContain(`version "v1": "spec.a": ${problem}`);
});

test("removed fields and fields that become required are reported, also in lists and maps", () => {
  const before = z.object({ list: z.array(z.object({ b: z.string() })), map: z.record(z.string(), z.int32()) });
  const after = z.object({ list: z.array(z.object({ c: z.string() })), map: z.record(z.string(), z.int32().max(3)) });
  expect(unsafeChanges(of(before), of(after))).toEqual([
    'version "v1": "spec.list[].b": the field is removed',
    'version "v1": "spec.list[].c": the field becomes required',
    'version "v1": "spec.map{}": "maximum" is lowered to 3',
  ]);
});

test("a schema need not list apiVersion, kind and metadata", () => {
  const definition = of(z.object({ a: z.string() }));
  const listed = structuredClone(definition);
  const { properties } = listed.spec.versions[0]?.schema?.openAPIV3Schema ?? {};
  Object.assign(properties ?? {}, {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
  });
  expect(Object.keys(properties ?? {})).toHaveLength(4);
  expect(unsafeChanges(listed, definition)).toEqual([]);
});

test("a scope change, a removed stored version and a version that is no longer served are reported", () => {
  const before = { ...of(z.object({})), status: { storedVersions: ["v1alpha1", "v1"] } };
  const after = crdOf(
    defineResource({ group: "example.com", kind: "Pool", scope: "Cluster", versions: { v2: { spec: z.object({}) } } }),
  );
  expect(unsafeChanges(before, after)).toEqual([
    "the scope changes from Namespaced to Cluster",
    'version "v1alpha1" is removed, but is in storedVersions',
    'version "v1" is removed, but is in storedVersions',
    'version "v1" is no longer served',
  ]);
});

test("a new CEL rule is reported", () => {
  const rules = [{ rule: "self.spec.a > 1" }];
  const spec = z.object({ a: z.int32() });
  expect(unsafeChanges(of(spec), of(spec, { rules }))).toEqual([
    'version "v1": the object: the rule "self.spec.a > 1" is new',
  ]);
});
