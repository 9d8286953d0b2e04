import type { Schema } from "@kubewright/core/schema";
import { expect, test } from "vitest";
import { z } from "zod";
import { schemaFromZod } from "./schema-from-zod.js";

const expressible: [string, z.ZodType, Schema][] = [
  [
    "a string with lengths and a pattern",
    z.string().min(1).max(9).regex(/^a+$/),
    { type: "string", minLength: 1, maxLength: 9, pattern: "^a+$" },
  ],
  [
    "a number with open bounds",
    z.number().gt(3).lt(8),
    { type: "number", minimum: 3, exclusiveMinimum: true, maximum: 8, exclusiveMaximum: true },
  ],
  ["an integer without the bounds of doubles", z.int(), { type: "integer", format: "int64" }],
  ["z.number().int() like z.int()", z.number().int().min(2), { type: "integer", format: "int64", minimum: 2 }],
  [
    "an array with sizes",
    z.array(z.boolean()).min(1).max(3),
    { type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 3 },
  ],
  [
    "a record",
    z.record(z.string(), z.int32()),
    { type: "object", additionalProperties: { type: "integer", format: "int32" } },
  ],
  ["an enum with a default", z.enum(["a", "b"]).default("a"), { type: "string", enum: ["a", "b"], default: "a" }],
  ["a union of literals", z.union([z.literal("a"), z.literal("b")]), { type: "string", enum: ["a", "b"] }],
  ["int-or-string", z.union([z.int(), z.string()]), { "x-kubernetes-int-or-string": true }],
  ["nullable", z.string().nullable(), { type: "string", nullable: true }],
  ["a date-time", z.iso.datetime(), { type: "string", format: "date-time" }],
  ["an unknown value", z.unknown(), { "x-kubernetes-preserve-unknown-fields": true }],
  ["a loose object", z.looseObject({}), { type: "object", "x-kubernetes-preserve-unknown-fields": true }],
  ["a description", z.string().describe("who"), { type: "string", description: "who" }],
];
test.each(expressible)("schemaFromZod expresses %s", (_, schema, expected) => {
  expect(schemaFromZod(schema, "spec")).toEqual(expected);
});

const inexpressible: [string, z.ZodType][] = [
  ["refine()", z.string().refine((text) => text !== "")],
  ["trim()", z.string().trim()],
  ["transform()", z.string().transform(Number)],
  ["regular expression flags", z.string().regex(/a/i)],
  ["two patterns", z.string().regex(/a/).regex(/b/)],
  ["z.date()", z.date()],
  ["z.bigint()", z.bigint()],
  ["a union of objects", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
  ["z.strictObject()", z.strictObject({})],
  ["a tuple", z.tuple([z.string()])],
  ["z.lazy()", z.lazy(() => z.string())],
];
test.each(inexpressible)("schemaFromZod rejects %s with the path", (_, schema) => {
  expect(() => schemaFromZod(z.object({ field: schema }), "spec")).toThrow(
    /Cannot express .* at "spec\.field" in a CustomResourceDefinition: ./,
  );
});
