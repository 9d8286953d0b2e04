import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, type RequestStep, subject, waitFor } from "../test-case.js";
import { changeSpec, changeVersions, defineSpec, defineVersions } from "./custom-kind.js";
import { size, specSchema, version, widget, widgets } from "./sample-objects.js";
import { embedded, integer, listByKeys, listOf, mapOf, number, object, setOf, string } from "./schema-builders.js";

const shown = ["kind", "code", "reason", "message", "details", "spec"];

/** A dry-run create with this spec. */
function attempt(spec: JsonValue): RequestStep {
  return post(`${widgets}?dryRun=All`, widget("a", { spec }), { fields: shown });
}

/** A dry-run create with a raw JSON spec. */
const sent = (spec: string): RequestStep => ({
  ...attempt({}),
  text: `{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":${spec}}`,
});

const attempts = (key: string, ...values: readonly JsonValue[]): RequestStep[] =>
  values.map((value) => attempt({ [key]: value }));

/** A dry-run merge patch of a stored object. */
const patched = (body: JsonObject): RequestStep => mergePatch(`${widgets}/a?dryRun=All`, body, { fields: shown });
const item = (k: string, v: string) => ({ k, v });

const scale: JsonObject = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" };

/** Properties with different kinds of validation. */
const strict: JsonObject = {
  size: { type: "integer", minimum: 0 },
  set: setOf(string),
  map: listByKeys(["a"], object({ a: string }, { required: ["a"] })),
  template: embedded,
};

const strictSpecs: readonly JsonObject[] = [
  { size: -1 },
  { size: "text" },
  { set: ["a", "a"] },
  { set: [1, 1, true, true] },
  { set: { a: 1 } },
  { map: [{ a: "1" }, true] },
  { map: [{ a: "1" }, null, { a: "1" }] },
  { map: [{}, {}] },
  { template: {} },
  { template: { apiVersion: "v1", kind: 1 } },
  { template: { apiVersion: "v1", kind: "Pod", metadata: { labels: { "a b": 1 } } } },
  { template: { apiVersion: "v1", kind: "Pod", metadata: { labels: { "a b": "c d" }, other: 1 } } },
  { template: { apiVersion: "v1", kind: "Pod", metadata: "text" } },
  { map: [1], template: { kind: "P d" } },
];

const formats: Readonly<Record<string, readonly string[]>> = {
  "date-time": ["2024-02-29T12:00:00Z", "2024-02-30T12:00:00Z", "2024-01-01 12:00:00Z", "2024-01-01T24:00:00Z"],
  date: ["2024-02-29", "2023-02-29", "24-1-1"],
  duration: ["1h2m", "22 ns", "3 weeks", "abc", "1"],
  byte: ["YWJj", "YWJ", "***", ""],
  uri: ["https://example.com/a?b=c", "/path", "nothing", "http://a b"],
  email: ["a@example.com", "A <a@example.com>", "a.example.com", "a..b@example.com"],
  hostname: ["example.com", "a_b", "-a.com", "a".repeat(64)],
  ipv4: ["10.0.0.1", "10.0.0.256", "::1", "010.0.0.1"],
  ipv6: ["::1", "fe80::1%eth0", "10.0.0.1", "1:2:3:4:5:6:7:8:9"],
  cidr: ["10.0.0.0/8", "10.0.0.0/33", "::/0", "10.0.0.0"],
  mac: ["01:23:45:67:89:ab", "01-23-45-67-89-ab", "0123.4567.89ab", "01:23"],
  uuid: ["a8098c1a-f86e-11da-bd1a-00112444be1e", "A8098C1AF86E11DABD1A00112444BE1E", "x"],
  uuid3: ["bcd02e22-68f0-3046-a512-327cca9def8f", "bcd02e22-68f0-4046-a512-327cca9def8f"],
  uuid4: ["025b0d74-00a2-4048-bf57-227c5111bb34", "025b0d74-00a2-4048-1f57-227c5111bb34"],
  uuid5: ["886313e1-3b8a-5372-9b90-0c9aee199e5d", "886313e1-3b8a-5372-1b90-0c9aee199e5d"],
  isbn: ["0321751043", "978-0321751041", "0321751044"],
  isbn10: ["0321751043", "978-0321751041"],
  isbn13: ["978 3401013190", "978-3401013191"],
  creditcard: ["4111-1111-1111-1111", "4111-1111-1111-1112", "12"],
  ssn: ["111-11-1111", "1111-11-111"],
  hexcolor: ["#fff", "ABCDEF", "#ffff"],
  rgbcolor: ["rgb(255,255,255)", "rgb(256,0,0)", "RGB(1, 2, 3)"],
  bsonobjectid: ["507f1f77bcf86cd799439011", "x"],
  password: ["anything"],
  "k8s-short-name": ["abc", "A.b"],
  "k8s-long-name": ["a.b", "A_b"],
  nonsense: ["anything"],
};

const patterns: readonly (readonly [pattern: string, ...strings: string[]])[] = [
  ["^(a+)+$", `${"a".repeat(60)}b`],
  ["(?i)^straße$", "STRASSE", "STRAßE"],
  ["^\\d+$", "١٢", "12"],
  ["^\\w+$", "é", "e"],
  ["a.b", "a\nb", "axb"],
  ["(?s)a.b", "a\nb"],
  ["^b", "a\nb"],
  ["(?m)^b$", "a\nb\nc"],
  ["\\bfoo\\b", "a foo b", "afoob", "éfoo"],
  ["^[[:alpha:]]{2,3}$", "ab", "abcd", "1"],
  ["^\\p{L}\\P{L}$", "é1", "11"],
  ["^\\Qa.b\\E$", "a.b", "axb"],
  ["^\\x{1F600}$", "😀", "x"],
  ["^.$", "😀"],
  ["^(?:a|ab)(?:c|bcd)$", "abcd"],
  ["^\\s$", "\u000b", "\t"],
];

/** Validation of values by every schema keyword. */
export const schemaValues = subject("schema-values", {
  "formats are enforced by the server's list": [
    defineSpec(
      Object.fromEntries(
        Object.keys(formats).map((format) => [format.replaceAll("-", ""), { type: "string", format }]),
      ),
    ),
    Object.entries(formats).flatMap(([format, strings]) => attempts(format.replaceAll("-", ""), ...strings)),
  ],
  "patterns match as in RE2": [
    defineSpec(Object.fromEntries(patterns.map(([pattern], index) => [`p${index}`, { type: "string", pattern }]))),
    patterns.flatMap(([, ...strings], index) => attempts(`p${index}`, ...strings)),
  ],
  "integers and floats are distinguished as in Go": [
    defineSpec({
      i: integer,
      i32: { type: "integer", format: "int32" },
      i64: { type: "integer", format: "int64" },
      n: number,
      f: { type: "number", format: "float" },
      half: { type: "number", multipleOf: 0.5 },
      e: { type: "integer", enum: [1, 2] },
      any: { "x-kubernetes-preserve-unknown-fields": true },
    }),
    attempts("i", 1, 1.5, "1", true, null, 1e20, [1], {}),
    attempts("i32", 2147483647, 2147483648, -2147483649),
    attempts("i64", 9007199254740991),
    attempts("n", 1, 1.5, 1e300, "1.5"),
    attempts("f", 1e300, 0.1),
    attempts("half", 1.5, 1.25),
    attempts("e", 1, 3, 1.0),
    attempts("any", 1.5, [1, "a", null], { a: { b: null } }, "text", null, false),
    sent('{"i":1.0}'),
    sent('{"i":1e2,"n":1e2}'),
  ],
  "junctors report the errors of every branch": [
    defineSpec({
      any: { type: "integer", anyOf: [{ minimum: 10 }, { maximum: 2 }] },
      all: { type: "integer", allOf: [{ minimum: 10 }, { multipleOf: 2 }] },
      one: { type: "integer", oneOf: [{ minimum: 10 }, { multipleOf: 2 }] },
      not: { type: "integer", not: { minimum: 10 } },
      branch: object({ a: string, b: string }, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }),
      ios: { "x-kubernetes-int-or-string": true },
    }),
    attempts("any", 1, 5, 11),
    attempts("all", 12, 11, 1, 2),
    attempts("one", 12, 11, 3, 2),
    attempts("not", 11, 1),
    attempts("branch", {}, { a: "1" }, { a: "1", b: "2" }, { a: 1 }),
    attempts("ios", 1, "1", 1.5, true, null),
  ],
  "sizes of lists, maps and strings are enforced": [
    defineSpec({
      list: listOf({ type: "integer", maximum: 5 }, { minItems: 1, maxItems: 2 }),
      map: mapOf({ type: "string", maxLength: 2 }, { minProperties: 1, maxProperties: 2 }),
      text: { type: "string", minLength: 2, maxLength: 3 },
      req: object({ a: string, b: object({ c: string }, { required: ["c"] }) }, { required: ["a", "b"] }),
      deep: listOf(object({ m: mapOf(integer) })),
      en: { type: "string", enum: ["a", "b<c>"] },
      nul: { type: "string", nullable: true, enum: ["a"] },
    }),
    attempts("list", [], [1, 2, 3], [9], ["a", 9], {}),
    attempts("map", {}, { a: "1", b: "2", c: "3" }, { a: "123" }, { "b.c/d": "1234" }),
    attempts("text", "a", "éé", "😀😀😀😀", "abcd"),
    attempts("req", {}, { a: "1" }, { a: "1", b: {} }, { a: null, b: null }),
    attempts("deep", [{ m: { x: "1" } }], [{ m: { x: 1, y: 1.5 } }, "text"], [null]),
    attempts("en", "c", "b<c>", 1),
    attempts("nul", null, "b"),
    attempt("text"),
    attempt([]),
    attempt(null),
  ],
  "sets and lists of type map have unique elements": [
    defineSpec({
      set: setOf(string),
      sets: setOf({ type: "object", "x-kubernetes-map-type": "atomic", "x-kubernetes-preserve-unknown-fields": true }),
      map: listByKeys(["a"], object({ a: string, b: string }, { required: ["a"] })),
      two: listByKeys(["a", "b"], object({ a: { type: "string", default: "x" }, b: { type: "integer", default: 1 } })),
    }),
    attempts("set", ["a", "b"], ["a", "a", "a"], ["b", "a", "b", "a"]),
    attempts("sets", [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]),
    attempts("map", [{ a: "1" }, { a: "1" }], [{}, {}], ["text"], [null]),
    attempts("two", [{}, {}], [{ a: "y" }, {}], [{ a: "x" }, { b: 1 }]),
  ],
  "embedded resources are validated as objects": [
    defineSpec({
      template: embedded,
      strict: object({ spec: object({ a: string }) }, { "x-kubernetes-embedded-resource": true }),
      many: listOf(embedded),
    }),
    attempts(
      "template",
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a", labels: { a: "b" } }, spec: { x: 1 } },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a", nothing: 1 } },
      { apiVersion: "v1" },
      { kind: "Pod" },
      { apiVersion: "", kind: "Pod" },
      { apiVersion: "v1", kind: "" },
      { apiVersion: "a/b/c", kind: "Pod" },
      { apiVersion: "v1", kind: "P d" },
      { apiVersion: 1, kind: "Pod" },
      { apiVersion: "v1", kind: "Pod", metadata: { labels: { "a b": "c d" } } },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a/b", namespace: "A" } },
      { apiVersion: "v1", kind: "Pod", metadata: "text" },
      { apiVersion: "v1", kind: "Pod", metadata: { labels: 1 } },
      {},
    ),
    attempts("strict", { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { a: "1", b: 2 }, x: 1 }),
    attempts("many", [
      { apiVersion: "v1", kind: "Pod" },
      { kind: "Pod", metadata: { finalizers: ["a b"] } },
    ]),
  ],
  "lists and embedded resources of an object of another kind are validated": [
    defineSpec(strict, { subresources: { status: {}, scale } }),
    ...["Widget", "Gadget"].flatMap((kind) =>
      strictSpecs.map((spec) => post(`${widgets}?dryRun=All`, { ...widget("a", { spec }), kind }, { fields: shown })),
    ),
    post(widgets, { ...widget("a", { spec: { set: ["a", "a"] } }, { labels: { "a b": "c d" } }), kind: "Gadget" }),
    post(widgets, { ...widget("A_", { spec: { set: ["a", "a"] } }), kind: "Gadget" }),
    post(widgets, { ...widget("", { spec: {} }, { generateName: "gen-" }), kind: "Gadget" }),
    post(widgets, { ...widget("", { spec: {} }), kind: "Gadget" }),
    post("/apis/{group}/v1/namespaces/missing/widgets", {
      ...widget("a", { spec: { set: ["a", "a"] } }),
      kind: "Gadget",
    }),
    post(widgets, widget("a", { spec: { size: 1, set: ["a"] } }), { capture: { rv: "metadata.resourceVersion" } }),
    post(widgets, { ...widget("a", { spec: { set: ["a", "a"] } }), kind: "Gadget" }),
    ...strictSpecs.map((spec) =>
      put(`${widgets}/a`, { ...widget("a", { spec }, { resourceVersion: "{rv}" }), kind: "Gadget" }, { fields: shown }),
    ),
    ...strictSpecs.map((spec) => mergePatch(`${widgets}/a`, { kind: "Gadget", spec }, { fields: shown })),
    apply(`${widgets}/b?fieldManager=x`, { ...widget("b", { spec: { set: ["a", "a"] } }), kind: "Gadget" }),
    put(`${widgets}/a/status`, {
      ...widget("a", { spec: { set: ["a", "a"] }, status: { ready: 1 } }, { resourceVersion: "{rv}" }),
      kind: "Gadget",
    }),
  ],
  "unchanged fields are not validated against a new schema": [
    defineSpec({
      a: string,
      b: string,
      list: listOf(string),
      set: listOf(string),
      map: listByKeys(["k"], object({ k: string, v: string }, { required: ["k"] })),
      inner: object({ x: string, y: string }),
    }),
    post(
      widgets,
      widget("a", {
        spec: {
          a: "long",
          b: "long",
          list: ["long"],
          set: ["s", "s"],
          map: [{ k: "1", v: "long" }],
          inner: { x: "long", y: "1" },
        },
      }),
      { fields: ["kind"] },
    ),
    changeVersions(
      [
        version(
          "v1",
          specSchema(
            {
              a: { type: "string", maxLength: 2 },
              b: string,
              list: listOf({ type: "string", maxLength: 2 }),
              set: setOf(string),
              map: listByKeys(["k"], object({ k: string, v: { type: "string", maxLength: 2 } }, { required: ["k"] })),
              inner: object({ x: { type: "string", maxLength: 2 }, y: string, z: string }, { required: ["z"] }),
              extra: { type: "string", default: "there" },
            },
            { maxProperties: 3 },
          ),
        ),
      ],
      { fields: ["kind"] },
    ),
    waitFor(widgets, { includes: "there" }),
    mergePatch(`${widgets}/a`, { metadata: { labels: { x: "1" } } }, { fields: shown }),
    mergePatch(`${widgets}/a`, { spec: { b: "other" } }, { fields: shown }),
    patched({ spec: { a: "longer" } }),
    patched({ spec: { list: ["long", "longer"] } }),
    patched({ spec: { set: ["s", "s", "t"] } }),
    patched({ spec: { map: [item("2", "1"), item("1", "long")] } }),
    patched({ spec: { inner: { y: "2" } } }),
  ],
  "objects are defaulted and pruned on read by the current schema": [
    defineSpec({ ...size, old: string }),
    post(widgets, widget("a", { spec: { size: 1, old: "x" } })),
    changeSpec({ ...size, fresh: { type: "string", default: "new" } }, { fields: ["kind"] }),
    waitFor(widgets, { includes: "fresh" }),
    get(`${widgets}/a`),
    mergePatch(`${widgets}/a`, { spec: { color: "red" } }),
  ],
  "a version with another schema returns the fields it has": [
    defineVersions([
      version("v1", specSchema({ ...size, only: { type: "string", default: "one" } })),
      version("v2", specSchema({ ...size, two: { type: "string", default: "two" } }), { storage: false }),
    ]),
    post("/apis/{group}/v2/namespaces/{ns}/widgets", {
      ...widget("a", { spec: { size: 1, two: "x" } }),
      apiVersion: "{group}/v2",
    }),
    get(`${widgets}/a`),
    put(`${widgets}/a`, widget("a", { spec: { size: 2 } }, { resourceVersion: "1" })),
    mergePatch(`${widgets}/a`, { spec: { only: "mine" } }),
    get("/apis/{group}/v2/namespaces/{ns}/widgets/a"),
    mergePatch("/apis/{group}/v2/namespaces/{ns}/widgets/a", { spec: { size: 3 } }),
    get(`${widgets}/a`),
  ],
});
