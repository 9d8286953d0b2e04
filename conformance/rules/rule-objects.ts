import type { JsonObject } from "@kubewright/core/json";

const text = (rest: JsonObject = {}): JsonObject => ({ type: "string", maxLength: 30, ...rest });
const integer = { type: "integer" };
const number = { type: "number" };
const list = (items: JsonObject, rest: JsonObject = {}): JsonObject => ({ type: "array", maxItems: 8, items, ...rest });
const map = (values: JsonObject): JsonObject => ({ type: "object", maxProperties: 8, additionalProperties: values });

/** The properties of the specs: every construct that a structural schema has. */
export const ruleProperties: JsonObject = {
  s: text(),
  t: text(),
  missing: text(),
  digits: text(),
  kind: { type: "string", enum: ["A", "B", "C"] },
  i: integer,
  j: integer,
  n: number,
  m: number,
  b: { type: "boolean" },
  data: text({ format: "byte" }),
  dur: text({ format: "duration" }),
  at: text({ format: "date-time" }),
  day: text({ format: "date" }),
  q: text(),
  addr: text(),
  net: text(),
  link: text({ maxLength: 60 }),
  ver: text(),
  words: list(text()),
  nums: list(integer),
  set: list(text(), { "x-kubernetes-list-type": "set" }),
  items: list(
    { type: "object", required: ["name"], properties: { name: text(), size: integer, tags: list(text()) } },
    { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
  ),
  labels: map(text()),
  counts: map(integer),
  nested: { type: "object", properties: { a: { type: "object", properties: { b: text() } } } },
  open: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { x: integer } },
  port: { "x-kubernetes-int-or-string": true },
  nul: { type: "integer", nullable: true },
  namespace: text(),
  "a-b": integer,
  "x.y": text(),
  "a/b": { type: "boolean" },
  __u: text(),
  res: {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  },
};

const whole: JsonObject = {
  s: "abc",
  t: "x",
  digits: "12",
  kind: "A",
  i: 1,
  j: 2,
  n: 1.5,
  m: 0.25,
  b: true,
  data: "YWJj",
  dur: "1h30m",
  at: "2022-06-01T12:00:00Z",
  day: "2022-05-31",
  q: "500m",
  addr: "10.0.0.1",
  net: "10.0.0.0/8",
  link: "https://a.example:8080/b?q=1",
  ver: "1.2.3",
  words: ["a", "b"],
  nums: [1, 2, 3],
  set: ["a", "b"],
  items: [
    { name: "a", size: 1, tags: ["x"] },
    { name: "b", tags: [] },
  ],
  labels: { a: "b" },
  counts: { a: 1 },
  nested: { a: { b: "c" } },
  open: { x: 1 },
  port: 80,
  nul: null,
  namespace: "ns",
  "a-b": 1,
  "x.y": "z",
  "a/b": true,
  __u: "u",
  res: { apiVersion: "v1", kind: "Pod", metadata: { name: "n" } },
};

const changes: readonly JsonObject[] = [
  {},
  { s: "", t: "", i: 0, j: 0, n: 0, m: 0, b: false, words: [], nums: [], items: [], labels: {}, counts: {} },
  { s: "äbc", t: "ä", i: -3, j: 7, n: -2.5, words: ["ä", "a"], nums: [3, 2, 1] },
  { s: "😀a", t: "a", i: 5, n: 5, kind: "B", port: "80%" },
  { s: "aaa", t: "aa", i: 2, j: 3, words: ["a", "a", "a"], nums: [2, 2], nul: 3 },
  { s: "bab", digits: "x", data: "", dur: "30s", at: "1999-12-31T23:59:59.5+02:00", day: "1970-01-01" },
  { s: "10.0.0.1", addr: "::1", net: "fd00::/8", q: "2Gi", ver: "v1.3", link: "/b" },
  { s: "1.2.3", addr: "127.0.0.1", net: "10.0.0.0/28", q: "-1", ver: "1.2.3-rc.1", link: "http://a.example" },
  { s: "https://x.example", addr: "bad", net: "10.0.0.1/8", q: "bad", ver: "bad", link: "a b" },
  { s: "true", digits: "-7", i: 9_007_199_254_740_991, j: 2, n: 1e300, m: 1e300 },
  { s: "30m", t: "2023-01-01T00:00:00Z", q: "0", labels: { a: "b", c: "d" }, counts: { a: 1, b: 2 } },
  { s: "c", t: "c", labels: { c: "c" }, counts: { x: 0, y: 3 }, set: ["b", "a"] },
  {
    items: [
      { name: "b", size: 5 },
      { name: "a", size: 2, tags: ["y", "z"] },
    ],
    nested: {},
    open: { x: 2, y: "z" },
  },
  {
    items: [{ name: "a" }],
    nested: { a: {} },
    open: {},
    port: 443,
    res: { apiVersion: "v1", kind: "Node", metadata: {} },
  },
  { words: ["b", "a"], nums: [0, 1], kind: "C", b: false },
  { words: ["abc", "a", "c"], nums: [4, 4, 8, 16], i: 4, j: -4 },
  { s: "x y", t: " x ", words: [" "], "a-b": 2, "x.y": "", "a/b": false, __u: "v", namespace: "" },
];

/** The specs that rules are evaluated with: variations of one, and some with most fields absent. */
export const ruleSpecs: readonly JsonObject[] = [
  ...changes.map((change) => ({ ...whole, ...change })),
  {},
  { s: "abc", i: 1, b: true, words: ["a"], labels: {} },
  { t: "x", n: 2.5, nums: [7], counts: { a: 7 }, nested: { a: { b: "z" } }, port: "x" },
];
