import fc from "fast-check";
import { expect, test } from "vitest";
import { deepFreeze, type JsonObject, type JsonValue } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { type ApplyOptions, applyConfiguration, conflictMessage, FieldSet, fieldSetOf, trackUpdate } from "./index.js";

const container: Schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    image: { type: "string" },
    args: { type: "array", items: { type: "string" } },
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
      items: {
        type: "object",
        properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" } },
      },
    },
  },
};
const schema: Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        paused: { type: "boolean" },
        selector: { type: "object", "x-kubernetes-map-type": "atomic" },
        containers: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: container,
        },
        tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        data: { type: "object", additionalProperties: { type: "string" } },
      },
    },
    status: { type: "object", properties: { ready: { type: "boolean" } } },
  },
};
const t0 = "2030-01-01T00:00:00Z";
const t1 = "2030-01-01T00:01:00Z";

function withSpec(spec: JsonObject, more: JsonObject = {}): JsonObject {
  return { apiVersion: "apps/v1", kind: "Thing", metadata: { name: "x" }, spec, ...more };
}

function applyAs(
  manager: string,
  live: JsonObject | undefined,
  spec: JsonObject,
  more: Partial<ApplyOptions> = {},
): JsonObject {
  const result = tryApply(manager, live, spec, more);
  if (result.kind === "conflict") throw new Error(conflictMessage(result.conflicts));
  return result.object;
}

function tryApply(manager: string, live: JsonObject | undefined, spec: JsonObject, more: Partial<ApplyOptions> = {}) {
  if (live !== undefined) deepFreeze(live);
  const config = deepFreeze(withSpec(spec)) as JsonObject;
  return applyConfiguration({ live, config, manager, apiVersion: "apps/v1", force: false, schema, time: t0, ...more });
}

const entries = (object: JsonObject): readonly JsonObject[] =>
  ((object["metadata"] as JsonObject)["managedFields"] ?? []) as unknown as readonly JsonObject[];
const specOf = (object: JsonObject): JsonValue | undefined => object["spec"];

test("an apply creates the object and records the applied fields, except fields that are never owned", () => {
  const object = applyAs("a", undefined, {
    replicas: 1,
    containers: [{ name: "web", image: "i", ports: [{ port: 80 }] }],
  });
  expect(entries(object)).toEqual([
    {
      manager: "a",
      operation: "Apply",
      apiVersion: "apps/v1",
      time: t0,
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:spec": {
          "f:containers": {
            'k:{"name":"web"}': {
              ".": {},
              "f:image": {},
              "f:name": {},
              "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {} } },
            },
          },
          "f:replicas": {},
        },
      },
    },
  ]);
});

test("a field that a manager no longer applies is removed, unless another manager owns it too", () => {
  const first = applyAs("a", undefined, { replicas: 1, paused: true, data: { k: "1", l: "1" } });
  const both = applyAs("b", first, { replicas: 1 });
  const after = applyAs("a", both, { data: { k: "1" } });
  expect(specOf(after)).toEqual({ replicas: 1, data: { k: "1" } });
  expect(specOf(applyAs("a", after, {}))).toEqual({ replicas: 1 });
});

test("fields that no manager applied stay", () => {
  const first = applyAs("a", undefined, { replicas: 1, paused: true });
  const updated = trackUpdate({
    live: first,
    object: { ...first, spec: { replicas: 1, paused: true, data: { own: "x" } } },
    manager: "u",
    apiVersion: "apps/v1",
    schema,
    time: t1,
  });
  expect(specOf(applyAs("a", updated, { replicas: 2 }))).toEqual({ replicas: 2, data: { own: "x" } });
});

test("a different value of a field that another manager owns is a conflict, the same value is shared", () => {
  const first = applyAs("a", undefined, { replicas: 1, containers: [{ name: "web", image: "i" }] });
  const result = tryApply("b", first, { containers: [{ name: "web", image: "j" }] });
  expect(result).toEqual({
    kind: "conflict",
    conflicts: [
      {
        manager: "a",
        apiVersion: "apps/v1",
        operation: "Apply",
        time: t0,
        paths: ['.spec.containers[name="web"].image'],
      },
    ],
  });
  if (result.kind !== "conflict") return expect.unreachable();
  expect(conflictMessage(result.conflicts)).toBe(
    'Apply failed with 1 conflict: conflict with "a": .spec.containers[name="web"].image',
  );
  expect(entries(applyAs("b", first, { replicas: 1 }))).toHaveLength(2);
});

test("conflict messages name the apiVersion of Update managers, and list several paths", () => {
  const created = trackUpdate({
    live: undefined,
    object: withSpec({ replicas: 1, paused: true }),
    manager: "kubectl-create",
    apiVersion: "apps/v1",
    schema,
    time: t0,
  });
  const one = tryApply("b", created, { replicas: 2 });
  const two = tryApply("b", created, { replicas: 2, paused: false });
  if (one.kind !== "conflict" || two.kind !== "conflict") return expect.unreachable();
  expect(conflictMessage(one.conflicts)).toBe(
    'Apply failed with 1 conflict: conflict with "kubectl-create" using apps/v1: .spec.replicas',
  );
  expect(conflictMessage(two.conflicts)).toBe(
    'Apply failed with 2 conflicts: conflicts with "kubectl-create" using apps/v1:\n- .spec.paused\n- .spec.replicas',
  );
});

test("force takes ownership of the field", () => {
  const first = applyAs("a", undefined, { replicas: 1, paused: true });
  const after = applyAs("b", first, { replicas: 2 }, { force: true, time: t1 });
  expect(specOf(after)).toEqual({ replicas: 2, paused: true });
  expect(entries(after).map((entry) => [entry["manager"], entry["fieldsV1"]])).toEqual([
    ["a", { "f:spec": { "f:paused": {} } }],
    ["b", { "f:spec": { "f:replicas": {} } }],
  ]);
});

test("lists merge by key, sets by value, and elements that are not applied keep their order", () => {
  const first = applyAs("a", undefined, { containers: [{ name: "a" }, { name: "b" }], tags: ["x", "y"] });
  const after = applyAs("b", first, { containers: [{ name: "c" }, { name: "b", image: "i" }], tags: ["z"] });
  expect(specOf(after)).toEqual({
    containers: [{ name: "a" }, { name: "c" }, { name: "b", image: "i" }],
    tags: ["x", "y", "z"],
  });
  expect(specOf(applyAs("a", after, { tags: ["y"] }))).toEqual({
    containers: [{ name: "c" }, { name: "b", image: "i" }],
    tags: ["y", "z"],
  });
});

test("atomic maps and lists are owned and replaced entirely", () => {
  const first = applyAs("a", undefined, { selector: { a: "1" }, containers: [{ name: "w", args: ["1"] }] });
  expect(tryApply("b", first, { selector: { a: "1", b: "2" } }).kind).toBe("conflict");
  const after = applyAs("a", first, { selector: { b: "2" }, containers: [{ name: "w", args: ["2", "3"] }] });
  expect(specOf(after)).toEqual({ selector: { b: "2" }, containers: [{ name: "w", args: ["2", "3"] }] });
});

test("the first apply to an object without managedFields assigns its fields to before-first-apply", () => {
  const live = withSpec({ replicas: 1 }, { metadata: { name: "x", uid: "u", labels: { a: "b" } } });
  const after = applyAs("a", live, { paused: true });
  expect(entries(after).map((entry) => entry["manager"])).toEqual(["a", "before-first-apply"]);
  expect(entries(after)[1]?.["fieldsV1"]).toEqual({
    "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
    "f:spec": { ".": {}, "f:replicas": {} },
  });
});

test("an apply does not own fields that the endpoint does not write", () => {
  const config = withSpec({ replicas: 1 }, { status: { ready: true } });
  const options = { live: undefined, config, manager: "a", apiVersion: "apps/v1", force: false, schema, time: t0 };
  const result = applyConfiguration({ ...options, ignoredFields: FieldSet.of(["status"]) });
  if (result.kind !== "applied") return expect.unreachable();
  expect(entries(result.object)[0]?.["fieldsV1"]).toEqual({ "f:spec": { "f:replicas": {} } });
});

test("malformed configurations are rejected", () => {
  expect(() => tryApply("a", undefined, { containers: [{ image: "i" }] })).toThrow(
    /^\.spec\.containers: element 0: .*omits all key fields/,
  );
  expect(() => tryApply("a", undefined, { containers: [{ name: "w" }, { name: "w" }] })).toThrow(
    '.spec.containers: duplicate entries for key [name="w"]',
  );
  const config = { metadata: { managedFields: [] } };
  const options = { live: undefined, manager: "a", apiVersion: "v1", force: false, schema, time: t0 };
  expect(() => applyConfiguration({ ...options, config })).toThrow("metadata.managedFields must be nil");
});

test("without a schema, maps merge by field and lists are replaced", () => {
  const first = applyAs("a", undefined, { m: { x: 1 }, l: [1] }, { schema: undefined });
  const after = applyAs("b", first, { m: { y: 2 } }, { schema: undefined });
  expect(specOf(after)).toEqual({ m: { x: 1, y: 2 }, l: [1] });
  expect(tryApply("b", first, { l: [2] }, { schema: undefined }).kind).toBe("conflict");
});

const update = (live: JsonObject | undefined, object: JsonObject, manager: string, time = t0): JsonObject =>
  trackUpdate({ live, object, manager, apiVersion: "apps/v1", schema, time });

test("an update takes ownership of the fields that it changes, and entries without fields are removed", () => {
  const created = update(undefined, withSpec({ replicas: 1 }, { metadata: { name: "x", uid: "u" } }), "creator");
  expect(entries(created)[0]?.["fieldsV1"]).toEqual({ "f:spec": { ".": {}, "f:replicas": {} } });
  const changed = update(created, { ...created, spec: { replicas: 2 } }, "scaler", t1);
  expect(entries(changed).map((entry) => [entry["manager"], entry["fieldsV1"]])).toEqual([
    ["creator", { "f:spec": {} }],
    ["scaler", { "f:spec": { "f:replicas": {} } }],
  ]);
  const { spec: _, ...withoutSpec } = changed;
  expect(entries(update(changed, withoutSpec, "other", t1))).toEqual([]);
});

test("an update without changes changes no entry", () => {
  const created = update(undefined, withSpec({ replicas: 1 }, { metadata: { name: "x", uid: "u" } }), "creator");
  expect(update(created, created, "other", t1)).toEqual(created);
});

test("an empty managedFields list resets ownership, and an unmanaged object stays unmanaged", () => {
  const created = update(undefined, withSpec({ replicas: 1 }, { metadata: { name: "x", uid: "u" } }), "creator");
  for (const managedFields of [[], [{}]]) {
    const reset = update(created, { ...created, metadata: { name: "x", uid: "u", managedFields } }, "creator", t1);
    expect(entries(reset)).toEqual([]);
    expect(entries(update(reset, { ...reset, spec: { replicas: 5 } }, "x"))).toEqual([]);
  }
});

test("more than ten update managers are merged into ancient-changes", () => {
  let object = update(undefined, withSpec({ data: { k: "v" } }, { metadata: { name: "x", uid: "u" } }), "m00");
  for (let index = 1; index <= 12; index++) {
    const data = { ...((object["spec"] as JsonObject)["data"] as JsonObject), [`k${index}`]: "v" };
    object = update(
      object,
      { ...object, spec: { data } },
      `m${String(index).padStart(2, "0")}`,
      `2030-01-01T00:00:${10 + index}Z`,
    );
  }
  expect(entries(object)).toHaveLength(10);
  expect(entries(object).map((entry) => entry["manager"])).toContain("ancient-changes");
});

test("FieldSet parses and formats FieldsV1, with keys in any order", () => {
  const fields = { "f:a": { ".": {}, 'k:{"b":1,"a":"x"}': { ".": {}, "f:c": {} } }, 'v:"s"': {}, "i:0": {} };
  const set = FieldSet.parse(fields);
  expect(set.toFieldsV1()).toEqual({
    "f:a": { ".": {}, 'k:{"a":"x","b":1}': { ".": {}, "f:c": {} } },
    'v:"s"': {},
    "i:0": {},
  });
  expect(set.paths()).toEqual([".a", '[="s"]', "[0]", '.a[a="x",b=1]', '.a[a="x",b=1].c']);
  for (const bad of [{ "x:a": {} }, { "k:[": {} }, { "f:a": 1 }, null, { "i:x": {} }]) {
    expect(() => FieldSet.parse(bad)).toThrow(/Cannot read managed field/);
  }
});

const name = fc.constantFrom("a", "b", "c");
const spec = fc.record(
  {
    replicas: fc.integer({ min: 0, max: 2 }),
    paused: fc.boolean(),
    data: fc.dictionary(name, fc.constantFrom("1", "2")),
    selector: fc.dictionary(name, fc.constant("1")),
    tags: fc.uniqueArray(name),
    containers: fc.uniqueArray(fc.record({ name, image: fc.constantFrom("i", "j") }, { requiredKeys: ["name"] }), {
      selector: (item) => item.name,
    }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

test("FieldSet obeys set algebra and survives a round trip through FieldsV1", () => {
  fc.assert(
    fc.property(spec, spec, (x, y) => {
      const a = fieldSetOf(withSpec(x), schema);
      const b = fieldSetOf(withSpec(y), schema);
      expect(FieldSet.parse(a.toFieldsV1()).equals(a)).toBe(true);
      expect(a.union(b).equals(b.union(a))).toBe(true);
      expect(a.difference(b).union(a.intersection(b)).equals(a)).toBe(true);
      expect(a.difference(b).intersection(b).isEmpty).toBe(true);
    }),
  );
});

test("applying twice is a no-op, also for times", () => {
  fc.assert(
    fc.property(spec, spec, (first, second) => {
      const live = applyAs("a", applyAs("b", undefined, first), second, { force: true });
      const again = tryApply("a", live, second, { time: t1 });
      expect(again).toEqual({ kind: "applied", object: live, changed: false });
    }),
  );
});

test("a second configuration of the same manager replaces the first", () => {
  fc.assert(
    fc.property(spec, spec, (first, second) => {
      const after = applyAs("a", applyAs("a", undefined, first), second);
      const fresh = applyAs("a", undefined, second);
      const fields = (object: JsonObject) => fieldSetOf({ spec: specOf(object) ?? {} }, schema).paths();
      expect(fields(after).filter((path) => path !== ".spec")).toEqual(
        fields(fresh).filter((path) => path !== ".spec"),
      );
    }),
  );
});

test("disjoint fields of two managers coexist, and each manager removes only its own", () => {
  const pick = (from: JsonObject, keys: readonly string[]): JsonObject =>
    Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
  fc.assert(
    fc.property(spec, spec, (x, y) => {
      const first = pick(x, ["replicas", "data", "tags"]);
      const second = pick(y, ["paused", "selector", "containers"]);
      const both = applyAs("b", applyAs("a", undefined, first), second);
      expect(specOf(both)).toEqual({ ...first, ...second });
      // An empty associative list has no owner and stays, so ownership of an empty spec may differ.
      const fields = (of: JsonObject) =>
        fieldSetOf({ spec: of }, schema)
          .paths()
          .filter((path) => path !== ".spec");
      const left = specOf(applyAs("b", both, {})) as JsonObject;
      expect(fields(left)).toEqual(fields(first));
    }),
  );
});

test("a forced apply sets all fields of its configuration", () => {
  fc.assert(
    fc.property(spec, spec, (first, second) => {
      const both = applyAs("b", applyAs("a", undefined, first), second, { force: true });
      const present = fieldSetOf({ spec: specOf(both) ?? {} }, schema);
      const desired = fieldSetOf({ spec: second }, schema).paths();
      const missing = desired.filter((path) => path !== ".spec" && !present.paths().includes(path));
      // An empty map is a leaf only until another manager adds a key.
      expect(missing.filter((path) => path !== ".spec.data")).toEqual([]);
    }),
  );
});
