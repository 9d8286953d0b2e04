import type { JsonValue } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import fc from "fast-check";
import { crdOf, defineResource, k, z } from "kubewright";
import type { ResourceDefinition } from "kubewright/crd";
import { expect, test } from "vitest";
import { importCRD } from "./index.js";

const definitionOf = (root: Schema, more: object = {}) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "pools.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Pool", listKind: "PoolList", plural: "pools", singular: "pool" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: root }, ...more }],
  },
});

/** Evaluates the imported module, without its types, and returns its CRD. */
function again(definition: object) {
  const source = importCRD(definition);
  const value = source.slice(source.indexOf("defineResource({"), source.indexOf("\n\n/** The object"));
  const made = new Function("defineResource", "k", "z", `return ${value}`)(defineResource, k, z);
  return crdOf(made as { definition: ResourceDefinition });
}

const strings = fc.constantFrom("", "a", "it's", 'say "x"', "é", "\u2028", "$x", "`", "\\");
const scalars: fc.Arbitrary<Schema> = fc.oneof(
  fc.record<Schema>(
    {
      type: fc.constant("string"),
      minLength: fc.nat(3),
      maxLength: fc.integer({ min: 4, max: 9 }),
      pattern: fc.constantFrom("^a+$", "a/b", "(?i)x", "\\p{L}", "[a-z]{2}\\.x", '"', "\\d"),
      format: fc.constantFrom("date-time", "uuid", "duration", "hostname", "byte", "custom"),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record<Schema>(
    { type: fc.constant("string"), enum: fc.uniqueArray(strings, { minLength: 1 }), maxLength: fc.constant(9) },
    { requiredKeys: ["type", "enum"] },
  ),
  fc.record<Schema>(
    {
      type: fc.constantFrom("integer", "number"),
      minimum: fc.integer({ min: -5, max: 0 }),
      maximum: fc.integer({ min: 1, max: 5 }),
      multipleOf: fc.constant(2),
    },
    { requiredKeys: ["type"] },
  ),
  fc.constantFrom<Schema>(
    { type: "integer", format: "int32", enum: [1, 2] },
    { type: "integer", format: "int32", minimum: 1, exclusiveMinimum: true },
    { type: "number", format: "double" },
    { type: "boolean" },
    { "x-kubernetes-int-or-string": true },
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }], pattern: "^[0-9]+%?$" },
    { "x-kubernetes-preserve-unknown-fields": true },
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    { type: "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true },
  ),
);
const names = fc.constantFrom("a", "b-c", "class", "__proto__", "constructor", "1x", "$ref", "default", "k.");
const { schema: schemas } = fc.letrec<{ schema: Schema; object: Schema }>((tie) => ({
  schema: fc
    .tuple(
      fc.oneof(
        { maxDepth: 3 },
        scalars,
        tie("object"),
        tie("schema").map(
          (items): Schema => ({ type: "array", items, maxItems: 4, "x-kubernetes-list-type": "atomic" }),
        ),
        tie("schema").map(
          (additionalProperties): Schema => ({ type: "object", additionalProperties, maxProperties: 3 }),
        ),
      ),
      fc.record<Schema>(
        {
          description: strings.filter((text) => text !== ""),
          nullable: fc.constant(true),
          title: fc.constant("A title"),
          "x-kubernetes-validations": fc.constant([{ rule: "self == oldSelf", message: "no `change`" }]),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([schema, more]) => ({ ...schema, ...more })),
  object: fc
    .tuple(fc.dictionary(names, tie("schema"), { minKeys: 1, maxKeys: 4, noNullPrototype: true }), fc.boolean())
    .map(([properties, some]): Schema => {
      const required = some ? Object.keys(properties).slice(0, 1) : [];
      return { type: "object", properties, ...(required.length > 0 && { required }) };
    }),
}));

/** The schema with the default format of integers. */
function expected(schema: Schema): Schema {
  const { properties, items, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(schema.type === "integer" && schema.enum === undefined && schema.format === undefined && { format: "int64" }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, expected(field)])),
    }),
    ...(items && { items: expected(items) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: expected(additionalProperties) }),
  };
}

test("a schema survives the import", () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const root: Schema = { type: "object", required: ["data"], properties: { data: schema } };
      const { spec } = again(definitionOf(root));
      expect(JSON.parse(JSON.stringify(spec.versions[0]?.schema.openAPIV3Schema))).toEqual(
        JSON.parse(JSON.stringify(expected(root))) as JsonValue,
      );
    }),
    { numRuns: 500 },
  );
});

test("names, columns, subresources, selectable fields, rules, spec and status survive the import", () => {
  const root: Schema = {
    type: "object",
    required: ["spec"],
    properties: {
      spec: { type: "object", required: ["size"], properties: { size: { type: "integer", format: "int32" } } },
      status: { type: "object", properties: { size: { type: "integer", format: "int32" } } },
    },
    "x-kubernetes-validations": [{ rule: "self.spec.size > 0" }],
  };
  const definition = definitionOf(root, {
    subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
    additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
    selectableFields: [{ jsonPath: ".spec.size" }],
    deprecated: true,
    deprecationWarning: "use v2",
  });
  expect(again(definition)).toEqual(definition);
  expect(importCRD(definition)).toContain("export type Pool = ObjectOf<typeof Pool>;");
  expect(importCRD(definition)).toContain("\n  external: true,\n");
});

test("a conversion webhook, labels, the API approval, a list kind and a nullable status survive the import", () => {
  const status: Schema = {
    type: "object",
    required: ["size"],
    properties: { size: { type: "integer", format: "int32" } },
    nullable: true,
    default: { size: 0 },
  };
  const root: Schema = { type: "object", description: "A pool", properties: { status }, minProperties: 1 };
  const definition = definitionOf(root, { subresources: { status: {} } });
  const names = { ...definition.spec.names, listKind: "Pools" };
  const clientConfig = {
    service: { namespace: "pools", name: "hooks", path: "/convert", port: 8443 },
    caBundle: "YQ==",
  };
  const conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1", "v1beta1"] } };
  const metadata = {
    name: "pools.example.com",
    labels: { team: "a" },
    annotations: { "api-approved.kubernetes.io": "https://example.com/1", note: "b" },
  };
  const whole = { ...definition, metadata, spec: { ...definition.spec, names, conversion } };
  expect(again(whole)).toEqual(whole);
});

test("a default that relies on nested defaults becomes a prefault", () => {
  const inner: Schema = { type: "object", properties: { a: { type: "string", default: "x" } }, default: {} };
  const root: Schema = { type: "object", properties: { data: inner } };
  expect(importCRD(definitionOf(root))).toContain('a: z.string().default("x"),\n        }).prefault({})');
  expect(again(definitionOf(root)).spec.versions[0]?.schema.openAPIV3Schema).toEqual(root);
});

test("an object that is not a CRD is rejected by name", () => {
  expect(() => importCRD({ kind: "ConfigMap", metadata: { name: "a" } })).toThrow(
    'Cannot import CustomResourceDefinition "a": it is not a CustomResourceDefinition',
  );
});
