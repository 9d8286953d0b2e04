import { expect, test } from "vitest";
import { deepFreeze, type JsonValue } from "../json/index.js";
import {
  applyDefaults,
  checkStructural,
  dropNulls,
  fieldErrorReason,
  formatFieldError,
  pruneUnknown,
  type Schema,
  validateLists,
  validateValue,
} from "./index.js";

const spec = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: "object",
  properties: { spec: { type: "object", properties, ...more } },
});
const messages = (value: JsonValue, schema: Schema): string[] =>
  [...validateValue({ spec: value }, schema), ...validateLists({ spec: value }, schema, "")].map(formatFieldError);

test.each<[string, Schema, JsonValue, string[]]>([
  [
    "type",
    { type: "integer" },
    "x",
    ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"'],
  ],
  [
    "fraction for integer",
    { type: "integer" },
    1.5,
    [
      'spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.x',
    ],
  ],
  ["null", { type: "string" }, null, ['spec.x: Invalid value: "null": spec.x in body must be of type string: "null"']],
  [
    "int or string",
    { "x-kubernetes-int-or-string": true },
    true,
    ['spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"'],
  ],
  ["enum", { type: "string", enum: ["a", "b"] }, "c", ['spec.x: Unsupported value: "c": supported values: "a", "b"']],
  [
    "maximum",
    { type: "integer", maximum: 10 },
    11,
    ["spec.x: Invalid value: 11: spec.x in body should be less than or equal to 10"],
  ],
  [
    "exclusive minimum",
    { type: "number", minimum: 0, exclusiveMinimum: true },
    0,
    ["spec.x: Invalid value: 0: spec.x in body should be greater than 0"],
  ],
  [
    "multiple",
    { type: "integer", multipleOf: 5 },
    7,
    ["spec.x: Invalid value: 7: spec.x in body should be a multiple of 5"],
  ],
  [
    "pattern",
    { type: "string", pattern: "^[a-z]+$" },
    "A1",
    ["spec.x: Invalid value: \"A1\": spec.x in body should match '^[a-z]+$'"],
  ],
  ["too long", { type: "string", maxLength: 3 }, "abcd", ["spec.x: Too long: may not be more than 3 bytes"]],
  [
    "too short",
    { type: "string", minLength: 1 },
    "",
    ['spec.x: Invalid value: "": spec.x in body should be at least 1 chars long'],
  ],
  [
    "too many items",
    { type: "array", maxItems: 1, items: { type: "string" } },
    ["a", "b"],
    ["spec.x: Too many: 2: must have at most 1 item"],
  ],
  [
    "too few items",
    { type: "array", minItems: 1, items: { type: "string" } },
    [],
    ["spec.x: Invalid value: 0: spec.x in body should have at least 1 items"],
  ],
  [
    "item",
    { type: "array", items: { type: "string" } },
    ["a", 1],
    ['spec.x[1]: Invalid value: "integer": spec.x[1] in body must be of type string: "integer"'],
  ],
  [
    "format",
    { type: "string", format: "date-time" },
    "x",
    ['spec.x: Invalid value: "x": spec.x in body must be of type date-time: "x"'],
  ],
  [
    "int32",
    { type: "integer", format: "int32" },
    2 ** 31,
    ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x'],
  ],
  ["required", { type: "object", required: ["a"] }, {}, ["spec.x.a: Required value"]],
  [
    "map values",
    { type: "object", additionalProperties: { type: "string" } },
    { k: 1 },
    ['spec.x.k: Invalid value: "integer": spec.x.k in body must be of type string: "integer"'],
  ],
  [
    "set",
    { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    ["a", "b", "a", "a"],
    ['spec.x[2]: Duplicate value: "a"'],
  ],
  [
    "map list",
    { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"], items: { type: "object" } },
    [{ n: 1, v: 1 }, { n: 1 }],
    ['spec.x[1]: Duplicate value: {"n":1}'],
  ],
])("validateValue has kube-apiserver's messages: %s", (_name, schema, value, expected) => {
  expect(messages({ x: value }, spec({ x: schema }))).toEqual(expected);
});

test("validateValue reports junctors as kube-apiserver does", () => {
  const schema = spec(
    { a: { type: "string" }, b: { type: "string" } },
    { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
  );
  expect(messages({ a: "x" }, schema)).toEqual([]);
  expect(messages({}, schema)).toEqual([
    '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
    "spec.a: Required value",
  ]);
  expect(messages({ a: "x", b: "y" }, schema)).toEqual([
    '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ]);
  expect(messages({}, spec({}, { not: {} }))).toEqual([
    '<nil>: Invalid value: "": "spec" must not validate the schema (not)',
  ]);
});

test.each<[string, string[], string[]]>([
  [
    "date-time",
    ["2024-02-29T10:00:00Z", "2024-01-01t10:00:00.5+02:00"],
    ["2023-02-29T10:00:00Z", "2024-01-01", "2024-01-01T24:00:00Z"],
  ],
  ["date", ["2024-02-29"], ["2024-13-01", "24-01-01"]],
  ["ipv4", ["10.0.0.1", "01.0.0.1"], ["10.0.0.256", "10.0.0"]],
  ["ipv6", ["::1", "fe80::1:2", "1:2:3:4:5:6:7:8", "::ffff:10.0.0.1"], ["1::2::3", "10.0.0.1", "1:2:3:4:5:6:7", "g::"]],
  ["cidr", ["10.0.0.0/8", "fd00::/64"], ["10.0.0.0", "10.0.0.0/33"]],
  ["uuid", ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567"]],
  ["byte", ["aGk=", "aGVsbG8h"], ["", "a", "aGk", "a$k="]],
  ["hostname", ["example.com", "web"], ["-x", "a..b"]],
  ["email", ["a@b.c", "A B <a@b.c>"], ["a", "a@"]],
  ["uri", ["https://example.com/x", "/path", "mailto:a@b"], ["path", "a b:c"]],
  ["duration", ["1h30m", "5 seconds", "0"], ["x", ""]],
  ["unknown-format", ["anything"], []],
])("format %s", (format, good, bad) => {
  const schema = spec({ x: { type: "string", format } });
  for (const text of good) expect(messages({ x: text }, schema), text).toEqual([]);
  for (const text of bad) expect(messages({ x: text }, schema), text).toHaveLength(1);
});

test("pruneUnknown drops undeclared fields and reports them", () => {
  const schema = spec({
    containers: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
    open: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: { type: "object" } } },
    embedded: { type: "object", "x-kubernetes-embedded-resource": true, properties: {} },
  });
  const object = deepFreeze({
    apiVersion: "v1",
    kind: "X",
    metadata: { labels: { a: "b" } },
    other: 1,
    spec: {
      containers: [{ name: "a", foo: 1 }],
      open: { x: { y: 1 }, known: { gone: 1 } },
      embedded: { metadata: { name: "x" }, gone: 1 },
    },
  }) as JsonValue;
  const { value, unknownFields } = pruneUnknown(object, schema);
  expect(unknownFields).toEqual(["other", "spec.containers[0].foo", "spec.embedded.gone", "spec.open.known.gone"]);
  expect(value).toEqual({
    apiVersion: "v1",
    kind: "X",
    metadata: { labels: { a: "b" } },
    spec: { containers: [{ name: "a" }], open: { x: { y: 1 }, known: {} }, embedded: { metadata: { name: "x" } } },
  });
  expect(pruneUnknown(value, schema).value).toBe(value);
});

test("pruneUnknown follows recursive schemas, and __proto__ is an ordinary field", () => {
  const tree: { type: string; properties: Record<string, Schema> } = { type: "object", properties: {} };
  tree.properties["child"] = { default: {}, allOf: [tree] };
  const value = JSON.parse('{"child":{"child":{"__proto__":{"a":1}}}}');
  expect(pruneUnknown(value, tree).unknownFields).toEqual(["child.child.__proto__"]);
});

test("applyDefaults applies defaults recursively, and null counts as missing unless it is nullable", () => {
  const schema = spec(
    {
      replicas: { type: "integer", default: 1 },
      nested: { type: "object", default: {}, properties: { a: { type: "string", default: "x" } } },
      nullable: { type: "string", nullable: true, default: "d" },
      list: { type: "array", items: { type: "object", properties: { p: { type: "string", default: "TCP" } } } },
    },
    {},
  );
  const filled = applyDefaults(
    deepFreeze({ spec: { replicas: null, nullable: null, list: [{}, { p: "UDP" }] } }),
    schema,
  );
  expect(filled).toEqual({
    spec: { replicas: 1, nested: { a: "x" }, nullable: null, list: [{ p: "TCP" }, { p: "UDP" }] },
  });
  expect(applyDefaults(filled, schema)).toBe(filled);
});

test("dropNulls drops nulls that are neither nullable nor defaulted", () => {
  const schema = spec({
    a: { type: "string" },
    b: { type: "string", nullable: true },
    c: { type: "string", default: "x" },
  });
  expect(dropNulls({ spec: { a: null, b: null, c: null, unknown: null } }, schema)).toEqual({
    spec: { b: null, c: null, unknown: null },
  });
});

const structuralMessages = (schema: unknown): string[] => checkStructural(schema, "s").map(formatFieldError);

test.each<[string, unknown, string[]]>([
  [
    "a valid schema",
    spec({
      a: { type: "string", pattern: "^x$" },
      p: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    }),
    [],
  ],
  ["no type at the root", {}, ["s.type: Required value: must not be empty at the root"]],
  [
    "no type of a field",
    spec({ a: {} }),
    ["s.properties[spec].properties[a].type: Required value: must not be empty for specified object fields"],
  ],
  [
    "no items",
    spec({ a: { type: "array" } }),
    ["s.properties[spec].properties[a].items: Required value: must be specified"],
  ],
  [
    "type in a junctor",
    spec({ a: { type: "string", anyOf: [{ type: "string" }] } }),
    ["s.properties[spec].properties[a].anyOf[0].type: Forbidden: must be empty to be structural"],
  ],
  [
    "undeclared field in a junctor",
    { type: "object", oneOf: [{ properties: { z: { minimum: 1 } } }] },
    ["s.properties[z]: Required value: because it is defined in s.oneOf[0].properties[z]"],
  ],
  [
    "metadata",
    { type: "object", properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } } },
    [
      "s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
    ],
  ],
  [
    "both kinds of properties",
    {
      type: "object",
      properties: {
        a: { type: "object", properties: { b: { type: "string" } }, additionalProperties: { type: "string" } },
      },
    },
    ["s.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive"],
  ],
  [
    "a pattern that RE2 does not support",
    spec({ a: { type: "string", pattern: "(?=x)" } }),
    [
      's.properties[spec].properties[a].pattern: Invalid value: "(?=x)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
  ],
  [
    "an unknown type",
    { type: "file" },
    [
      's.type: Invalid value: "file": must be object at the root',
      's.type: Unsupported value: "file": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
  ],
  [
    "list keys",
    spec({ a: { type: "array", "x-kubernetes-list-type": "map", items: { type: "object" } } }),
    [
      "s.properties[spec].properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
    ],
  ],
  ["a reference", { type: "object", $ref: "#/x" }, ["s.$ref: Forbidden: $ref is not supported"]],
  ["not a schema", "x", ["s: Required value: schema is required"]],
  ["a wrong shape", { type: "object", required: "a" }, ['s.required: Invalid value: "a": must be a list of strings']],
])("checkStructural: %s", (_name, schema, expected) => {
  expect(structuralMessages(schema)).toEqual(expected);
});

test("fieldErrorReason returns the reason of a Status cause", () => {
  expect(fieldErrorReason("Invalid")).toBe("FieldValueInvalid");
  expect(fieldErrorReason("TypeInvalid")).toBe("FieldValueTypeInvalid");
});

test("ratcheting: unchanged values are not validated, per element in lists with keys", () => {
  const item: Schema = {
    type: "object",
    properties: { k: { type: "string" }, v: { type: "string", maxLength: 1 } },
  };
  const list: Schema = {
    type: "array",
    items: item,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
  };
  const schema: Schema = { type: "object", properties: { list, plain: { type: "array", items: { maxLength: 1 } } } };
  const old = { list: [{ k: "a", v: "long" }], plain: ["long"] };
  expect(validateValue(old, schema, { old })).toEqual([]);
  expect(validateValue({ list: [{ k: "b" }, { k: "a", v: "long" }], plain: ["long"] }, schema, { old })).toEqual([]);
  const fields = validateValue({ list: [{ k: "b", v: "long" }], plain: ["long", "x"] }, schema, { old });
  expect(fields.map(({ field }) => field)).toEqual(["list[0].v", "plain[0]"]);
});

test("defaults are validated against their schema", () => {
  const wrong = spec({ a: { type: "object", properties: { b: { type: "string", default: 1 } }, default: { c: 1 } } });
  expect(structuralMessages(wrong)).toEqual([
    's.properties[spec].properties[a].default: Invalid value: {"c":1}: must not have unknown fields',
    's.properties[spec].properties[a].properties[b].default: Invalid value: "integer":  in body must be of type string: "integer"',
  ]);
});

test("an error of both a schema and one of its branches is reported once", () => {
  const schema: Schema = { type: "string", minLength: 1, allOf: [{ minLength: 1 }] };
  const details = validateValue("", schema).map(({ detail }) => detail);
  expect(new Set(details).size).toBe(details.length);
  expect(details).toHaveLength(2);
});
