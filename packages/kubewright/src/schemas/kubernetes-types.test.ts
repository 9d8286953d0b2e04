import { expect, test } from "vitest";
import { z } from "zod";
import { crdOf, defineResource } from "../definition/index.js";
import { k } from "./index.js";

/** The schema of one spec field in its CRD. */
function schemaOf(field: z.ZodType) {
  const resource = defineResource({
    group: "example.com",
    kind: "Thing",
    versions: { v1: { spec: z.object({ field }) } },
  });
  return crdOf(resource).spec.versions[0]?.schema.openAPIV3Schema.properties?.["spec"]?.properties?.["field"];
}

const expressed: [string, z.ZodType, object][] = [
  ["an int64, with a default", k.int64().default(2n ** 60n), { type: "integer", format: "int64", default: 2n ** 60n }],
  ["int or string", k.intOrString(), { "x-kubernetes-int-or-string": true }],
  ["a duration, also when it is optional", k.duration().optional(), { type: "string", format: "duration" }],
  [
    "a map list with maxItems",
    k.mapList(z.object({ name: z.string(), port: z.int32().optional() }), ["name"]).max(3),
    {
      type: "array",
      maxItems: 3,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, port: { type: "integer", format: "int32" } },
      },
    },
  ],
  ["a set list", k.setList(z.string()), { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" }],
  [
    "an embedded object",
    k.embeddedObject(),
    { type: "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true },
  ],
  ["a pod template", k.podTemplate(), { type: "object", "x-kubernetes-preserve-unknown-fields": true }],
  [
    "a key reference as an atomic map",
    k.keyReference(),
    {
      type: "object",
      required: ["name", "key"],
      properties: {
        name: { type: "string", minLength: 1 },
        key: { type: "string", minLength: 1 },
        optional: { type: "boolean" },
      },
      "x-kubernetes-map-type": "atomic",
    },
  ],
  [
    "CEL rules in order",
    k.rules(k.immutable(z.string()), { rule: "self != ''" }),
    {
      type: "string",
      "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "field is immutable" }, { rule: "self != ''" }],
    },
  ],
  [
    "one field out of several",
    k.exactlyOneOf(z.object({ a: z.string().optional(), b: z.string().optional() }), "a", "b"),
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      "x-kubernetes-validations": [
        {
          rule: "(has(self.a)?1:0)+(has(self.b)?1:0) == 1",
          message: "exactly one of the fields in [a b] must be set",
        },
      ],
    },
  ],
  [
    "a discriminated union",
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("S3"), bucket: z.string(), region: z.string().optional() }),
      z.object({ type: z.literal("Disk"), path: z.string() }),
    ]),
    {
      type: "object",
      required: ["type"],
      properties: {
        type: { type: "string", enum: ["S3", "Disk"] },
        bucket: { type: "string" },
        region: { type: "string" },
        path: { type: "string" },
      },
      oneOf: [
        { properties: { type: { enum: ["S3"] } }, required: ["bucket"] },
        { properties: { type: { enum: ["Disk"] } }, required: ["path"] },
      ],
    },
  ],
  [
    "an intersection of objects",
    z.object({ a: z.string() }).and(z.object({ b: z.int().default(2) })),
    {
      type: "object",
      required: ["a"],
      properties: { a: { type: "string" }, b: { type: "integer", format: "int64", default: 2 } },
    },
  ],
];
test.each(expressed)("a CRD expresses %s", (_, schema, expected) => {
  expect(schemaOf(schema)).toEqual(expected);
});

test("a union whose options have different schemas for a field is rejected with the field's path", () => {
  const union = z.discriminatedUnion("type", [
    z.object({ type: z.literal("A"), size: z.int() }),
    z.object({ type: z.literal("B"), size: z.string() }),
  ]);
  expect(() => schemaOf(union)).toThrow(/Cannot express two different schemas for one field at "spec\.field\.size"/);
});

test("an unknown x-kubernetes extension is rejected", () => {
  expect(() => schemaOf(z.string().meta({ "x-kubernetes-list-typ": "set" }))).toThrow(
    'Cannot express "x-kubernetes-list-typ" at "spec.field" in a CustomResourceDefinition: Kubernetes has no such extension',
  );
});

test("scale, selectableFields, labels and annotations are written to the CRD", () => {
  const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" };
  const resource = defineResource({
    group: "example.com",
    kind: "Pool",
    metadata: { labels: { team: "a" }, annotations: { "example.com/docs": "pools" } },
    versions: {
      v1: {
        spec: z.object({ size: z.int32(), color: z.string() }),
        status: z.object({ size: z.int32() }),
        scale,
        selectableFields: [".spec.color"],
      },
    },
  });
  const { metadata, spec } = crdOf(resource);
  expect(metadata).toEqual({
    name: "pools.example.com",
    labels: { team: "a" },
    annotations: { "example.com/docs": "pools" },
  });
  expect(spec.versions[0]).toMatchObject({
    subresources: { status: {}, scale },
    selectableFields: [{ jsonPath: ".spec.color" }],
  });
});
