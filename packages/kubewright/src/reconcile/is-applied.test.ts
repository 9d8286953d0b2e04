import { applyConfiguration } from "@kubewright/core/apply";
import { cloneJson, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { Quantity } from "@kubewright/core/quantity";
import type { Schema } from "@kubewright/core/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isApplied } from "./index.js";

/** A map, a map list with a defaulted key field, a set list, and an atomic list. */
const schema: Schema = {
  type: "object",
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
    spec: {
      type: "object",
      properties: {
        image: { type: "string" },
        count: { type: "integer" },
        labels: { type: "object", additionalProperties: { type: "string" } },
        atomic: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "atomic" },
        set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            required: ["port"],
            properties: {
              port: { type: "integer" },
              protocol: { type: "string", default: "TCP" },
              note: { type: "string" },
            },
          },
        },
      },
    },
  },
};

const word = fc.constantFrom("a", "b", "c", "__proto__", "constructor");
const port = fc.record({ port: fc.integer({ min: 1, max: 4 }), note: word }, { requiredKeys: ["port"] });
const spec = fc.record(
  {
    image: word,
    count: fc.integer({ min: 0, max: 3 }),
    labels: fc.dictionary(fc.constantFrom("x", "y", "constructor"), word),
    atomic: fc.array(word, { maxLength: 3 }),
    set: fc.uniqueArray(word, { maxLength: 3 }),
    ports: fc.uniqueArray(port, { maxLength: 3, selector: (item) => item.port }),
  },
  { requiredKeys: [] },
);

const config = (spec: unknown, name = "web"): JsonObject => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: {
    name,
    namespace: "default",
    labels: { app: "web" },
    ownerReferences: [{ apiVersion: "v1", kind: "X", name: "x", uid: "u" }],
  },
  spec: spec as JsonValue,
});

function apply(
  live: JsonObject | undefined,
  desired: JsonObject,
  manager = "me",
): { object: JsonObject; changed: boolean } {
  const result = applyConfiguration({
    live,
    config: desired,
    manager,
    apiVersion: "example.com/v1",
    force: true,
    schema,
    time: "2030-01-01T00:00:00Z",
  });
  if (result.kind === "conflict") throw new Error("A forced apply cannot conflict");
  return result;
}

/** A ResourceQuota, which a Go struct stores, after `applied` was applied and stored as `stored`. */
function storedQuota(applied: JsonObject, stored: JsonObject): (desired: JsonObject) => boolean {
  const quota = (spec: JsonObject): JsonObject => ({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "q" },
    spec,
  });
  const openSchema: Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const { kind, object } = applyConfiguration({
    live: undefined,
    config: quota(applied),
    manager: "me",
    apiVersion: "v1",
    force: true,
    schema: openSchema,
    time: "2030-01-01T00:00:00Z",
  }) as { readonly kind: string; readonly object: JsonObject };
  expect(kind).not.toBe("conflict");
  return (desired) => isApplied({ ...object, spec: stored }, quota(desired), "me");
}

/** The defaults that a server fills in: the missing key field of list items. */
function withDefaults(object: JsonObject): JsonObject {
  const copy = cloneJson(object) as { spec?: { ports?: { protocol?: string }[] } };
  for (const item of copy.spec?.ports ?? []) item.protocol ??= "TCP";
  return copy as unknown as JsonObject;
}

test("a configuration that was just applied counts as applied, despite defaults and fields of other managers", () => {
  fc.assert(
    fc.property(spec, word, (given, other) => {
      // A configuration of empty lists owns no field and would be applied again.
      const mine = { image: "always", ...given };
      const live = withDefaults(apply(undefined, config(mine)).object);
      expect(isApplied(live, config(mine), "me")).toBe(true);
      const shared = apply(live, { ...config({ labels: { theirs: other } }) }, "them").object;
      // A map in which another manager now owns a field still has the desired values.
      expect(isApplied(shared, config(mine), "me") || !apply(shared, config(mine)).changed).toBe(true);
    }),
  );
});

test("when isApplied returns true, an apply changes nothing", () => {
  fc.assert(
    fc.property(spec, spec, fc.option(spec), (before, desired, others) => {
      let live = withDefaults(apply(undefined, config(before)).object);
      if (others !== null) live = withDefaults(apply(live, config(others), "them").object);
      if (isApplied(live, config(desired), "me")) expect(apply(live, config(desired)).changed).toBe(false);
    }),
    { numRuns: 200 },
  );
});

test("a changed value, an added field and a removed field are changes", () => {
  const desired = config({ image: "a", ports: [{ port: 1 }] });
  const live = withDefaults(apply(undefined, desired).object);
  const changed = cloneJson(live) as unknown as { spec: { image: string } };
  changed.spec.image = "b";
  expect(isApplied(changed as unknown as JsonObject, desired, "me")).toBe(false);
  expect(isApplied(live, config({ image: "a", count: 1, ports: [{ port: 1 }] }), "me")).toBe(false);
  expect(isApplied(live, config({ image: "a" }), "me")).toBe(false);
  expect(isApplied(live, config({ image: "a", ports: [{ port: 1, protocol: "UDP" }] }), "me")).toBe(false);
});

test("fields of another manager do not count, and isApplied returns false when unsure", () => {
  const desired = config({ image: "a" });
  const live = apply(undefined, desired).object;
  expect(isApplied(live, desired, "them")).toBe(false);
  expect(isApplied({ ...live, metadata: { name: "web" } }, desired, "me")).toBe(false);
  expect(isApplied(live, { ...desired, apiVersion: "example.com/v2" }, "me")).toBe(false);
});

test("a quantity counts as applied in every spelling of its value, and in no other, and only where the server stores quantities", () => {
  const suffix = fc.constantFrom("", "m", "k", "Mi", "e3");
  const quantity = fc.tuple(fc.integer({ min: 0, max: 5_000 }), suffix).map(([number, unit]) => `${number}${unit}`);
  fc.assert(
    fc.property(quantity, quantity, (applied, desired) => {
      const stored = Quantity.parse(applied).toString();
      const isQuotaApplied = storedQuota({ hard: { cpu: applied } }, { hard: { cpu: stored } });
      expect(isQuotaApplied({ hard: { cpu: applied } })).toBe(true);
      const isSame = Quantity.parse(applied).equals(Quantity.parse(desired));
      if (!isSame) expect(isQuotaApplied({ hard: { cpu: desired } })).toBe(false);
      const isTextApplied = storedQuota({ text: { cpu: stored } }, { text: { cpu: stored } });
      expect(isTextApplied({ text: { cpu: applied } })).toBe(applied === stored);
    }),
  );
});

test("an owned field that is absent counts as applied only for values that no Go struct stores", () => {
  const isAbsentApplied = (field: string, value: JsonValue): boolean =>
    storedQuota({ kept: "x", [field]: value }, { kept: "x" })({ kept: "x", [field]: value });
  expect(isAbsentApplied("labels", {})).toBe(true);
  expect(isAbsentApplied("args", [])).toBe(true);
  expect(isAbsentApplied("value", "")).toBe(true);
  expect(isAbsentApplied("value", "x")).toBe(false);
  expect(isAbsentApplied("emptyDir", {})).toBe(false);
  expect(isAbsentApplied("runAsUser", 0)).toBe(false);
  expect(isAbsentApplied("storageClassName", "")).toBe(false);
});
