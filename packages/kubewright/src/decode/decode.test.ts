import { inspect } from "node:util";
import { deepFreeze } from "@kubewright/core/json";
import { withoutManagedFields } from "@kubewright/core/meta";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeEvent, decodeList, withProperties } from "./index.js";

const long = "x".repeat(300);
const managedFields = [
  { manager: "a", fieldsType: "FieldsV1", fieldsV1: { "f:data": { ".": {}, 'k:{"name":"b"}': {} } } },
];

/** An object whose fields are long enough to be parsed lazily. */
const pod = {
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name: "web", labels: { app: "web" }, managedFields },
  spec: { containers: [{ name: "web", image: long }] },
  status: { phase: "Running", message: `${long} "quoted" } ] , é` },
};
const strip = withoutManagedFields(pod);

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const decoded = (object: unknown) => (decodeEvent(bytesOf({ type: "ADDED", object })) as { object: typeof pod }).object;

/** Hostile key names, including those that the decoder searches for. */
const names = fc.oneof(
  fc.constantFrom(
    "metadata",
    "managedFields",
    "spec",
    "status",
    "items",
    "object",
    "__proto__",
    "constructor",
    "toString",
  ),
  fc.constantFrom('a}],"b', "}]}", '\\"managedFields":[', "]", "{", '"', "\\", "é", "\u2028"),
  fc.string({ maxLength: 6 }),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -1.5, 1e21, ""),
    names,
    fc.string({ minLength: 260, maxLength: 300 }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;
const records = fc.array(
  fc.record({ manager: names, fieldsV1: fc.dictionary(names, fc.constant({}), { noNullPrototype: true }) }),
);
const objects = fc
  .tuple(
    fc.dictionary(names, json, { maxKeys: 5, noNullPrototype: true }),
    fc.dictionary(names, json, { maxKeys: 4, noNullPrototype: true }),
    fc.dictionary(names, json, { maxKeys: 3, noNullPrototype: true }),
    fc.option(fc.oneof(records, json)),
  )
  .map(([content, before, after, managed]) => ({
    ...content,
    metadata: { ...before, ...(managed === null ? {} : { managedFields: managed }), ...after },
  }));

/** The result of a full parse, without the object's own managedFields. */
const expected = (object: object): unknown => withoutManagedFields(JSON.parse(JSON.stringify(object)) as object);

test("an event equals a full parse without the object's managedFields, for any key names", () => {
  fc.assert(
    fc.property(objects, (object) => {
      const event = decodeEvent(bytesOf({ type: "MODIFIED", object }));
      expect(JSON.stringify(event)).toBe(JSON.stringify({ type: "MODIFIED", object: expected(object) }));
      expect(event).toEqual({ type: "MODIFIED", object: expected(object) });
    }),
    { numRuns: 1_000 },
  );
});

test("a list equals a full parse without the items' managedFields", () => {
  fc.assert(
    fc.property(fc.array(objects, { maxLength: 4 }), objects, (items, { metadata: _, ...content }) => {
      const list = { ...content, metadata: { resourceVersion: "1" }, items };
      const text = JSON.stringify({ ...list, items: items.map(expected) });
      expect(JSON.stringify(decodeList(bytesOf(list)))).toBe(text);
    }),
    { numRuns: 1_000 },
  );
});

test("JSON with whitespace between members is decoded", () => {
  const spaced = Buffer.from(JSON.stringify({ type: "ADDED", object: pod }, undefined, 2));
  expect(decodeEvent(spaced)).toEqual({ type: "ADDED", object: strip });
  expect(decodeList(Buffer.from(JSON.stringify({ items: [pod] }, undefined, 2)))).toEqual({ items: [strip] });
});

test("managedFields of a nested object are kept", () => {
  const outer = { ...pod, spec: { template: { metadata: { name: long, managedFields } } } };
  expect(decoded(outer).spec).toEqual(outer.spec);
  expect(decoded({ ...outer, metadata: { name: "none" } })).toEqual({ ...outer, metadata: { name: "none" } });
});

test("managedFields whose names look like the end of the array are removed", () => {
  const tricky = [{ manager: "a", fieldsV1: { "f:x}],": {}, "f:y}]}": {} } }];
  expect(decoded({ ...pod, metadata: { ...pod.metadata, managedFields: tricky, uid: "1" } }).metadata).toEqual({
    ...strip.metadata,
    uid: "1",
  });
});

test("lazy fields are parsed once on first read, and are ordinary fields afterwards", () => {
  const object = decoded(pod);
  expect(Object.getOwnPropertyDescriptor(object, "metadata")?.value).toEqual(strip.metadata);
  expect(Object.getOwnPropertyDescriptor(object, "spec")?.get).toBeTypeOf("function");
  expect(object.spec).toBe(object.spec);
  expect(Object.getOwnPropertyDescriptor(object, "spec")).toEqual({
    value: pod.spec,
    enumerable: true,
    configurable: true,
    writable: true,
  });
});

test("copies, keys, JSON, clones and util.inspect behave as for an ordinary object", () => {
  expect(Object.keys(decoded(pod))).toEqual(["kind", "apiVersion", "metadata", "spec", "status"]);
  expect({ ...decoded(pod) }).toStrictEqual(strip);
  expect(JSON.stringify(decoded(pod))).toBe(JSON.stringify(strip));
  expect(structuredClone(decoded(pod))).toStrictEqual(strip);
  expect(inspect(decoded(pod))).toBe(inspect(strip));
  expect("spec" in decoded(pod)).toBe(true);
});

test("a lazy field can be set before it is read", () => {
  const object = decoded(pod);
  object.status = { phase: "Failed", message: "" };
  expect(object.status).toEqual({ phase: "Failed", message: "" });
});

test("a deep freeze parses all fields; a shallow freeze leaves them lazy", () => {
  const deep = deepFreeze(decoded(pod));
  expect(Object.isFrozen(deep.spec.containers[0])).toBe(true);
  const shallow = Object.freeze(decoded(pod));
  expect(shallow.spec).toEqual(pod.spec);
  expect(shallow.spec).toBe(shallow.spec);
});

test("a copy with other first properties leaves unread fields unparsed", () => {
  const { kind: _, apiVersion: __, ...untyped } = pod;
  const [item] = (decodeList(bytesOf({ items: [untyped] })) as { items: [typeof untyped] }).items;
  const typed = withProperties(item, { apiVersion: "v1", kind: "Pod" });
  expect(Object.getOwnPropertyDescriptor(typed, "spec")?.get).toBeTypeOf("function");
  expect(Object.keys(typed)).toEqual(["apiVersion", "kind", "metadata", "spec", "status"]);
  expect(typed).toEqual(strip);
});

test("invalid JSON throws at once; inside a large field, when it is read", () => {
  for (const text of ["", "{", "no", '{"type":"ADDED","object":{"metadata":{}', '{"type":"ADDED","object":{]}}'])
    expect(() => decodeEvent(Buffer.from(text)), text).toThrow(SyntaxError);
  const broken = JSON.stringify({ type: "ADDED", object: pod }).replace('"containers":', '"containers"');
  const { object } = decodeEvent(Buffer.from(broken)) as { object: typeof pod };
  expect(() => object.spec).toThrow(
    expect.objectContaining({
      code: "TRANSPORT_FAILED",
      message: 'Cannot read "spec" of Pod "web": the server sent invalid JSON',
    }),
  );
});

test("truncated or changed bytes never hang, and yield JSON or an error", () => {
  const text = JSON.stringify({ type: "ADDED", object: pod });
  fc.assert(
    fc.property(
      fc.nat(text.length),
      fc.nat(text.length),
      fc.constantFrom("", '"', "\\", "]", "}", "["),
      (at, skip, put) => {
        const bytes = Buffer.from(text.slice(0, at) + put + text.slice(at + (skip % 5)));
        try {
          JSON.stringify(decodeEvent(bytes));
        } catch (error) {
          expect(error instanceof SyntaxError || (error as { code?: string }).code === "TRANSPORT_FAILED").toBe(true);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test("integers beyond 2^53 are kept, also in parts that are parsed later", () => {
  const text = `{"kind":"Thing","metadata":{"name":"a","generation":9007199254740993},"spec":{"a":"${long}","b":-9223372036854775808},"status":9223372036854775807}`;
  const expected = {
    kind: "Thing",
    metadata: { name: "a", generation: 9007199254740993n },
    spec: { a: long, b: -9223372036854775808n },
    status: 9223372036854775807n,
  };
  expect(decodeEvent(Buffer.from(`{"type":"ADDED","object":${text}}`))).toEqual({ type: "ADDED", object: expected });
  const list = `{"kind":"ThingList","metadata":{"remainingItemCount":9007199254740993},"items":[${text}]}`;
  const decodedList = { kind: "ThingList", metadata: { remainingItemCount: 9007199254740993n }, items: [expected] };
  expect(decodeList(Buffer.from(list))).toEqual(decodedList);
  // With spaces it is not scanned.
  expect(decodeList(Buffer.from(list.replaceAll(",", ", ")))).toEqual(decodedList);
});
