import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { trackUpdate } from "./index.js";

const text: Schema = { type: "string" };

/** A fresh schema each time: what is remembered hangs on it. */
const makeSchema = (): Schema => ({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer" },
        labels: { type: "object", additionalProperties: text },
        whole: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: text },
        tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: { type: "object", properties: { name: text, port: { type: "integer" } } },
        },
      },
    },
    status: { type: "object", properties: { phase: text } },
  },
});

const word = fc.constantFrom("a", "b", "1:a", "a.", "{", "}", "constructor", "__proto__");
const texts = fc.dictionary(word, word, { maxKeys: 3 });
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 8 });
const objects = fc.record(
  {
    metadata: fc.record({ name: word, labels: texts, finalizers: fc.uniqueArray(word) }, { requiredKeys: [] }),
    spec: some(
      fc.record(
        {
          size: some(fc.nat(2)),
          labels: some(texts),
          whole: texts,
          tags: fc.array(word, { maxLength: 3 }),
          ports: fc.array(fc.record({ name: word, port: fc.nat(2) }, { requiredKeys: ["name"] }), { maxLength: 3 }),
        },
        { requiredKeys: [] },
      ),
    ),
    status: fc.record({ phase: word }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

test("who creates an object owns the same fields, whatever was created before", () => {
  const shared = makeSchema();
  const emptySpec: JsonObject = { spec: { size: 0, labels: null }, status: {} };
  const created = (object: JsonObject, schema: Schema): unknown =>
    trackUpdate({ live: emptySpec, object, manager: "me", apiVersion: "v1", schema, time: "" });
  fc.assert(
    fc.property(objects, (object) => {
      for (const size of [0, 1, null]) {
        const sized = { ...object, spec: { ...(object["spec"] as JsonObject | null), size } };
        expect(created(sized, shared)).toEqual(created(sized, makeSchema()));
      }
      expect(created(object, shared)).toEqual(created(object, makeSchema()));
    }),
    { numRuns: 50 },
  );
});

test("who changes an object owns the same fields, whatever was changed before", () => {
  const shared = makeSchema();
  const written = (before: JsonObject, after: JsonObject, schema: Schema): unknown => {
    const by = (manager: string) => ({ manager, apiVersion: "v1", schema, time: "" });
    const live = trackUpdate({ live: {}, object: before, ...by("first") });
    return trackUpdate({ live, object: after, ...by("second") });
  };
  fc.assert(
    fc.property(objects, objects, (before, after) => {
      expect(written(before, after, shared)).toEqual(written(before, after, makeSchema()));
    }),
    { numRuns: 300 },
  );
});
