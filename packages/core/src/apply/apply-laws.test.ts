import fc from "fast-check";
import { expect, test } from "vitest";
import { deepFreeze, type JsonObject, type JsonValue } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { applyConfiguration, FieldSet, trackUpdate } from "./index.js";

const text: Schema = { type: "string" };
const schema: Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        a: text,
        b: text,
        inner: { type: "object", properties: { x: text, y: text } },
        whole: { type: "object", "x-kubernetes-map-type": "atomic", properties: { x: text, y: text } },
        labels: { type: "object", additionalProperties: text },
        plain: { type: "array", items: text },
        set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        list: {
          type: "array",
          items: { type: "object", properties: { k: text, v: text } },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
        },
      },
    },
  },
};

const value = fc.constantFrom("1", "2", "3");
const some = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(one, { nil: undefined });

/** A configuration of some of the fields; `suffix` makes the elements of two configurations disjoint. */
function configuration(suffix = ""): fc.Arbitrary<JsonObject> {
  const key = fc.constantFrom(`p${suffix}`, `q${suffix}`);
  return fc
    .record({
      [`a`]: some(value),
      inner: some(fc.dictionary(fc.constantFrom("x", "y"), value)),
      whole: some(fc.dictionary(fc.constantFrom("x", "y"), value)),
      labels: some(fc.dictionary(key, value)),
      plain: some(fc.array(value, { maxLength: 3 })),
      set: some(fc.uniqueArray(key)),
      list: some(fc.uniqueArray(fc.record({ k: key, v: value }), { selector: (element) => element.k, maxLength: 2 })),
    })
    .map((spec) => ({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "w" },
      spec: Object.fromEntries(Object.entries(spec).filter(([, field]) => field !== undefined)) as JsonObject,
    }));
}

/** Only fields that two managers can own separately: map keys, set elements and elements of associative lists. */
function shared(suffix: string): fc.Arbitrary<JsonObject> {
  return configuration(suffix).map((config) => {
    const { labels, set, list } = config["spec"] as Record<string, JsonValue | undefined>;
    const spec = Object.fromEntries(Object.entries({ labels, set, list }).filter(([, field]) => field !== undefined));
    return { ...config, spec: spec as JsonObject };
  });
}

const time = "2030-01-01T00:00:00Z";

function apply(live: JsonObject | undefined, config: JsonObject, manager: string, force = false): JsonObject {
  const result = applyConfiguration({ live, config, manager, apiVersion: "example.com/v1", force, schema, time });
  if (result.kind === "conflict") throw new Error(`conflict: ${JSON.stringify(result.conflicts)}`);
  return deepFreeze(result.object) as JsonObject;
}

function owned(object: JsonObject, manager: string): FieldSet {
  const entries = (object["metadata"] as JsonObject)["managedFields"];
  const entry = Array.isArray(entries)
    ? (entries as JsonObject[]).find((one) => one["manager"] === manager)
    : undefined;
  return FieldSet.parse(entry?.["fieldsV1"] ?? {});
}

/** Sorts the lists whose order does not matter. */
function unordered(object: JsonObject): JsonValue {
  const spec = { ...((object["spec"] ?? {}) as Record<string, JsonValue>) };
  for (const name of ["set", "list"])
    if (Array.isArray(spec[name]))
      spec[name] = [...spec[name]].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return spec;
}

test("repeating an apply changes nothing, whatever other managers own", () => {
  fc.assert(
    fc.property(configuration(), configuration(), (mine, others) => {
      const first = apply(apply(undefined, others, "other"), mine, "me", true);
      const again = applyConfiguration({
        live: first,
        config: mine,
        manager: "me",
        apiVersion: "example.com/v1",
        force: false,
        schema,
        time: "2031-01-01T00:00:00Z",
      });
      expect(again).toMatchObject({ kind: "applied", changed: false });
    }),
  );
});

test("applies of disjoint fields yield the same object in either order", () => {
  fc.assert(
    fc.property(shared("1"), shared("2"), (one, two) => {
      const ab = apply(apply(undefined, one, "one"), two, "two");
      const ba = apply(apply(undefined, two, "two"), one, "one");
      expect(unordered(ab)).toEqual(unordered(ba));
      expect(owned(ab, "one").equals(owned(ba, "one"))).toBe(true);
      expect(owned(ab, "two").equals(owned(ba, "two"))).toBe(true);
    }),
  );
});

test("an empty apply leaves exactly the fields that other managers own", () => {
  fc.assert(
    fc.property(shared("1"), shared("2"), (one, two) => {
      const both = apply(apply(undefined, one, "one"), two, "two");
      const empty: JsonObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } };
      const left = apply(both, empty, "one");
      const alone = apply(undefined, two, "two");
      // An empty map or list may stay if a manager owns it.
      const bare = (object: JsonObject): JsonValue =>
        Object.fromEntries(
          Object.entries(unordered(object) as JsonObject).filter(([, field]) => Object.keys(field ?? {}).length > 0),
        );
      expect(bare(left)).toEqual(bare(alone));
      expect(owned(left, "one").isEmpty).toBe(true);
    }),
  );
});

test("a forced apply always succeeds and takes ownership of the fields that it changes", () => {
  fc.assert(
    fc.property(configuration(), configuration(), (mine, others) => {
      const before = apply(undefined, others, "other");
      const after = apply(before, mine, "me", true);
      // Applying the same configuration again without force is no conflict.
      expect(() => apply(after, mine, "me")).not.toThrow();
      const spec = after["spec"] as JsonObject | undefined;
      for (const [name, field] of Object.entries(mine["spec"] as JsonObject))
        if (typeof field === "string") expect(spec?.[name]).toBe(field);
    }),
  );
});

test("an update owns the fields that it changed, and an apply of the others is no conflict", () => {
  fc.assert(
    fc.property(configuration(), value, (mine, changed) => {
      const before = apply(undefined, mine, "me");
      const object = { ...before, spec: { ...(before["spec"] as JsonObject), b: changed } };
      const updated = trackUpdate({
        live: before,
        object,
        manager: "editor",
        apiVersion: "example.com/v1",
        schema,
        time,
      });
      expect(owned(updated, "editor").paths()).toContain(".spec.b");
      expect(apply(updated, mine, "me")["spec"]).toEqual(updated["spec"]);
    }),
  );
});
