import { normaliseJson } from "@kubewright/core/json";
import { pruneUnknown, type Schema } from "@kubewright/core/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { prunedFields } from "./pruned-fields.js";

const text: Schema = { type: "string" };
const object = (properties: Record<string, Schema>, rest: Schema = {}): Schema => ({
  type: "object",
  properties,
  ...rest,
});

test("fields that the served schema does not specify are pruned, wherever they are", () => {
  const own = object({
    spec: object({ image: text, hosts: { type: "array", items: object({ name: text, tls: text }) } }),
    status: object({ url: text, pods: { type: "object", additionalProperties: object({ ip: text, node: text }) } }),
  });
  const served = object({
    spec: object({ image: text, hosts: { type: "array", items: object({ name: text }) } }),
    status: object({ pods: { type: "object", additionalProperties: object({ ip: text }) } }),
  });
  expect(prunedFields(own, served)).toEqual([".spec.hosts[].tls", ".status.url", ".status.pods.*.node"]);
  expect(prunedFields(served, own)).toEqual([]);
  expect(prunedFields(own, own)).toEqual([]);
});

test("a served schema that keeps unknown fields prunes none, and one that specifies no members prunes a map", () => {
  const own = object({ spec: object({ image: text }), status: { type: "object", additionalProperties: text } });
  const keeping = object({ spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } });
  expect(prunedFields(own, keeping)).toEqual([".status"]);
  expect(prunedFields(own, { ...keeping, "x-kubernetes-preserve-unknown-fields": true })).toEqual([]);
  expect(prunedFields(own, object({ spec: own.properties?.["spec"] ?? {}, status: { type: "object" } }))).toEqual([
    ".status.*",
  ]);
});

test("metadata of the root and of embedded resources is kept", () => {
  const embedded: Schema = object({ metadata: object({ name: text }), kind: text, spec: object({ a: text }) });
  const own = object({ metadata: object({ name: text }), template: embedded });
  const served = object({ template: object({ spec: object({}) }, { "x-kubernetes-embedded-resource": true }) });
  expect(prunedFields(own, served)).toEqual([".template.spec.a"]);
});

test("a value of the own schema loses fields on the server exactly when fields are reported", () => {
  const names = ["a", "b", "c"];
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small" },
      fc.constant(text),
      fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 3 }).map((properties) => object(properties)),
      tie("schema").map((items): Schema => ({ type: "array", items })),
      tie("schema").map((additionalProperties): Schema => ({ type: "object", additionalProperties })),
    ),
  }));
  const root = fc.dictionary(fc.constantFrom(...names), schema, { maxKeys: 3 }).map((properties) => object(properties));
  fc.assert(
    fc.property(root, root, (own, served) => {
      fc.pre(sameTypes(own, served));
      const full = normaliseJson(fullValue(own)) as Record<string, never>;
      const { value } = pruneUnknown(full, served, {});
      expect(prunedFields(own, served).length > 0).toBe(JSON.stringify(value) !== JSON.stringify(full));
    }),
  );
});

/** A value with every field of a schema. */
function fullValue(schema: Schema): unknown {
  if (schema.items) return [fullValue(schema.items)];
  if (typeof schema.additionalProperties === "object") return { some: fullValue(schema.additionalProperties) };
  if (schema.type !== "object") return "x";
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, fullValue(field)]));
}

/** A field whose type changed makes objects invalid, which is not about pruning. */
function sameTypes(one: Schema, other: Schema): boolean {
  if (one.type !== other.type) return false;
  if (one.items && other.items) return sameTypes(one.items, other.items);
  const [members, others] = [one.additionalProperties, other.additionalProperties];
  if (typeof members === "object" && typeof others === "object") return sameTypes(members, others);
  if (typeof members === "object" || typeof others === "object") return false;
  return Object.entries(one.properties ?? {}).every(([name, field]) => {
    const same = other.properties?.[name];
    return same === undefined || sameTypes(field, same);
  });
}
