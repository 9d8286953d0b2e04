import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, type RequestStep, type Step, subject, waitFor } from "../test-case.js";
import { changeSpec, defineSpec, defineVersions, defineWidget, widgetVersion } from "./custom-kind.js";
import {
  configMap,
  configMaps,
  define,
  deployment,
  deployments,
  size,
  specSchema,
  version,
  widget,
  widgets,
} from "./sample-objects.js";
import { boolean, integer, listByKeys, listOf, mapOf, number, object, setOf, string } from "./schema-builders.js";

const map = `${configMaps}/a`;
const one = `${widgets}/a`;

const by = (manager: string, path: string, body: JsonValue, query = ""): RequestStep =>
  apply(`${path}?fieldManager=${manager}${query}`, body);

const forged = {
  manager: "made-up",
  operation: "Update",
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": { "f:k": {} } },
};
const twice = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1","a":"2"}}';

const spec = (value: JsonObject): JsonObject => widget("a", { spec: value });
const bySpec = (manager: string, value: JsonObject, query = ""): RequestStep => by(manager, one, spec(value), query);

const rich = specSchema(
  {
    size: integer,
    color: { type: "string", default: "red" },
    maybe: { type: "string", nullable: true },
    inner: object({ x: string, y: string, deep: object({ z: string }) }),
    atomic: object({ x: string, y: string }, { "x-kubernetes-map-type": "atomic" }),
    labels: mapOf(string),
    objects: mapOf(object({ x: string })),
    plain: listOf(string),
    set: setOf(string),
    list: listByKeys(
      ["name", "port"],
      object(
        { name: string, port: { type: "integer", default: 80 }, value: string, tags: setOf(string) },
        { required: ["name"] },
      ),
    ),
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    any: { "x-kubernetes-preserve-unknown-fields": true },
    ios: { "x-kubernetes-int-or-string": true },
    ratio: number,
    flag: boolean,
  },
  { required: [] },
);

const defined: Step[] = define(rich, {
  subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" } },
});

/** A dry run of an apply with this spec. */
const attempt = (value: JsonValue): RequestStep => by("m", one, widget("a", { spec: value }), "&dryRun=All");
const attempts = (key: string, ...values: readonly JsonValue[]): RequestStep[] =>
  values.map((value) => attempt({ [key]: value }));

/** managedFields of every list and map type of a schema. */
export const applyOwnership = subject("apply-ownership", {
  "an apply that does not match its schema is rejected with the path": [
    ...defined,
    attempts("size", "1", 1.5),
    attempts("color", 1),
    attempts("flag", "yes"),
    attempts("ratio", "1"),
    attempts("inner", [], "x", { x: 1 }, { nothing: 1 }),
    attempts("plain", {}, [1]),
    attempts("set", ["a", "a"], [{}], [null]),
    attempts("list", [{ name: "a" }, { name: "a" }], [{ value: "x" }], ["a"], [null]),
    attempts("list", [{ name: "a", nothing: 1 }], [{ name: "a", value: 1 }]),
    attempts("labels", { a: 1 }, []),
    attempts("objects", { a: { y: 1 } }),
    attempts("atomic", { z: 1 }, "x"),
    attempts("free", "x"),
    attempts("ios", true),
    attempts("any", [1, { a: null }]),
    attempt("text"),
    attempt([]),
    attempt(null),
  ],
  "an apply of a built-in kind with a wrong type is rejected with the path": [
    by("m", map, { ...configMap("a"), data: { k: 1 } }),
    by("m", map, { ...configMap("a"), data: "x" }),
    by("m", map, { ...configMap("a"), immutable: "x" }),
    by("m", map, { ...configMap("a"), metadata: { name: "a", labels: { a: 1 } } }),
    by("m", map, { ...configMap("a"), metadata: { name: "a", finalizers: ["x.io/a", "x.io/a"] } }),
    by("m", map, { ...configMap("a"), metadata: { name: "a", ownerReferences: [{ name: "x" }] } }),
    by("m", map, { ...configMap("a"), metadata: { name: "a", creationTimestamp: null } }),
    by("m", `${deployments}/d`, deployment("d", { replicas: "1" })),
    by("m", `${deployments}/d`, { ...deployment("d"), spec: { template: { spec: { containers: [{ image: "x" }] } } } }),
  ],
  "field ownership follows the list and map type of each field": [
    ...defined,
    bySpec("m", {
      size: 1,
      inner: { x: "1", deep: {} },
      atomic: { x: "1" },
      labels: { a: "1" },
      objects: { a: {} },
      plain: ["a"],
      set: ["a", "b"],
      list: [
        { name: "a", value: "1", tags: ["t"] },
        { name: "a", port: 81 },
      ],
      free: { a: { b: [1] } },
      any: { a: 1 },
      ios: "1",
    }),
    bySpec("n", {
      set: ["c"],
      list: [{ name: "b" }],
      labels: { b: "2" },
      inner: { y: "2" },
      objects: { b: { x: "1" } },
    }),
    bySpec("m", { set: ["b"], list: [{ name: "a", port: 81 }], inner: {}, labels: {} }),
    get(one),
    bySpec("m", {}),
    by("m", one, widget("a")),
    get(one),
  ],
  "conflicts are reported for each list and map type": [
    ...defined,
    bySpec("m", {
      size: 1,
      atomic: { x: "1" },
      plain: ["a"],
      list: [{ name: "a", value: "1" }],
      free: { a: 1 },
      set: ["a"],
    }),
    bySpec("n", { size: 2 }),
    bySpec("n", { atomic: { x: "1", y: "2" } }),
    bySpec("n", { plain: ["b"] }),
    bySpec("n", { list: [{ name: "a", value: "2" }] }),
    bySpec("n", { free: { a: 2 } }),
    bySpec("n", { set: ["a"], size: 1 }),
    bySpec("o", { size: 3, plain: ["c"], list: [{ name: "a", value: "3" }] }),
    bySpec("n", { size: 2, plain: ["b"] }, "&force=true"),
    mergePatch(`${one}?fieldManager=u`, { spec: { size: 9, plain: null } }),
    bySpec("n", { size: 2, plain: ["b"] }),
    bySpec("m", { size: 9 }),
    get(one),
  ],
  "nulls and defaults are applied as values are": [
    ...defined,
    bySpec("m", { maybe: null, color: null, inner: null }),
    bySpec("n", { color: "red" }),
    bySpec("n", { color: "blue" }),
    bySpec("m", { maybe: "x" }),
    bySpec("m", { maybe: null }),
    bySpec("m", { free: { a: null, b: 1 }, any: null }),
    bySpec("m", { free: { b: 2 } }),
  ],
  "an apply accepts stored lists with duplicate elements": [
    defineSpec({ set: listOf(string) }),
    post(`${widgets}?fieldManager=u`, spec({ set: ["a", "b", "a"] })),
    changeSpec({ set: setOf(string), extra: { type: "string", default: "there" } }, { fields: ["kind"] }),
    waitFor(widgets, { includes: "there" }),
    bySpec("m", { set: ["c"] }),
    bySpec("n", { set: ["a"] }),
    bySpec("n", { set: ["b"] }),
    bySpec("n", {}),
  ],
  "managedFields survive a change between an atomic list and a map list": [
    defineSpec({
      list: listByKeys(["k"], object({ k: string, v: string }, { required: ["k"] })),
      inner: object({ x: string }),
    }),
    bySpec("m", { list: [{ k: "1", v: "a" }], inner: { x: "1" } }),
    changeSpec(
      {
        list: listOf(object({ k: string, v: string }, { required: ["k"] }), { "x-kubernetes-list-type": "atomic" }),
        inner: object({ x: string }, { "x-kubernetes-map-type": "atomic" }),
        extra: { type: "string", default: "there" },
      },
      { fields: ["kind"] },
    ),
    waitFor(widgets, { includes: "there" }),
    bySpec("m", { list: [{ k: "1", v: "b" }], inner: { x: "1" } }),
    bySpec("n", { list: [{ k: "2", v: "b" }] }),
    get(one),
  ],
  "managers own fields in the API version that they wrote": [
    defineVersions([widgetVersion("v1"), version("v2", specSchema({ ...size, more: string }), { storage: false })]),
    bySpec("m", { size: 1 }),
    by("n", "/apis/{group}/v2/namespaces/{ns}/widgets/a", { ...spec({ color: "red" }), apiVersion: "{group}/v2" }),
    by("n", "/apis/{group}/v2/namespaces/{ns}/widgets/a", { ...spec({ size: 2 }), apiVersion: "{group}/v2" }),
    by("m", "/apis/{group}/v2/namespaces/{ns}/widgets/a", { ...spec({ size: 3 }), apiVersion: "{group}/v2" }),
    mergePatch(`${one}?fieldManager=u`, { spec: { color: "blue" } }),
    mergePatch("/apis/{group}/v2/namespaces/{ns}/widgets/a?fieldManager=u", { spec: { size: 7 } }),
    bySpec("m", { size: 4 }),
    get(one),
  ],
  "the eleventh Update manager merges the oldest entries": [
    // Names in order of time: entries of the same second are ordered by name.
    post(`${configMaps}?fieldManager=a`, configMap("a", { k0: "0" })),
    ...Array.from({ length: 11 }, (_, index) => ({
      ...mergePatch(`${map}?fieldManager=${"bcdefghijkl"[index]}`, { data: { [`k${index + 1}`]: "1" } }),
      silent: index < 8,
    })),
    mergePatch(`${map}?fieldManager=m`, { data: { k0: "1" } }),
    by("z", map, configMap("a", { k1: "1", own: "1" })),
  ],
  "managedFields can be reset but not forged": [
    by("m", map, configMap("a", { k: "1" })),
    mergePatch(map, { metadata: { managedFields: [] } }),
    mergePatch(map, { data: { l: "1" } }),
    by("m", map, configMap("a", { k: "1" })),
    mergePatch(map, { metadata: { managedFields: [{}] } }),
    mergePatch(map, { metadata: { managedFields: [forged] } }),
    mergePatch(map, { metadata: { managedFields: [{ manager: "x", operation: "Nonsense" }] } }),
    mergePatch(map, { metadata: { managedFields: null } }),
    by("m", map, configMap("a", { k: "2" })),
  ],
  "status and scale have their own managedFields entries": [
    ...defined,
    by("m", one, widget("a", { spec: { size: 1 }, status: { ready: true } })),
    by("m", `${one}/status`, widget("a", { spec: { size: 9 }, status: { ready: true } })),
    by("n", `${one}/status`, widget("a", { status: { ready: false } })),
    by("n", `${one}/status`, widget("a", { status: { ready: false } }), "&force=true"),
    mergePatch(`${one}/status?fieldManager=u`, { status: { replicas: 2 }, metadata: { labels: { a: "b" } } }),
    by("m", `${one}/status`, widget("a", { status: {} })),
    get(one),
  ],
  "a write without changes keeps the time of its managedFields entry": [
    by("m", map, configMap("a", { k: "1" })),
    by("m", map, configMap("a", { k: "1" })),
    put(map, configMap("a", { k: "1" })),
    mergePatch(`${map}?fieldManager=u`, { data: { k: "1" } }),
    by("n", map, configMap("a", { k: "1" })),
    by("n", map, configMap("a", {})),
    by("m", map, { apiVersion: "v1", kind: "ConfigMap", metadata: {} }),
  ],
  "options of an apply are validated": [
    by("m", map, configMap("a", { k: "1" }), "&dryRun=Nonsense"),
    by("m", map, configMap("a", { k: "1" }), "&fieldValidation=Nonsense"),
    by("m", map, configMap("a", { k: "1" }), "&force=maybe"),
    by("", map, configMap("a", { k: "1" })),
    by("x".repeat(129), map, configMap("a", { k: "1" })),
    by("a%0Ab", map, configMap("a", { k: "1" })),
    mergePatch(`${map}?force=true`, { data: {} }),
    mergePatch(`${map}?force=false`, { data: {} }),
    apply(`${map}?fieldManager=m&fieldValidation=Strict`, {}, { text: twice }),
    apply(`${map}?fieldManager=m`, {}, { text: twice }),
    apply(`${map}?fieldManager=m`, {}, { text: "a: [" }),
    apply(`${map}?fieldManager=m`, {}, { text: "[]" }),
    apply(`${map}?fieldManager=m`, {}, { text: "null" }),
    apply(`${map}?fieldManager=m`, {}, { text: "" }),
    apply(`${map}?fieldManager=m`, {}, { text: "text" }),
  ],
  "a number that fits no integer becomes the smallest one": [
    post(configMaps, configMap("a"), { silent: true }),
    by("one", map, configMap("a", {}, { deletionGracePeriodSeconds: 1e21 })),
    by("one", map, configMap("a", {}, { deletionGracePeriodSeconds: -1e21 })),
    by("one", map, configMap("a", {}, { deletionGracePeriodSeconds: 1.5 })),
    by("one", `${configMaps}/b`, configMap("b", {}, { deletionGracePeriodSeconds: 1e21 }), "&dryRun=All"),
  ],
  "an apply without changes has no time, unless it resets managedFields": [
    defineWidget(),
    post(widgets, spec({ size: 1 })),
    bySpec("one", { size: 1 }),
    by("two", one, widget("a", { spec: { size: 1 } }, { managedFields: null })),
    by("two", one, widget("a", { spec: { size: 1 } }, { managedFields: null })),
    by("three", one, widget("a", { spec: {} }, { managedFields: null })),
    by("three", one, widget("a", { spec: {} })),
    by("one", map, configMap("a", { k: "1" }, { managedFields: null })),
    by("two", map, configMap("a", { k: "1" })),
    by("three", map, configMap("a", { k: "1" }, { managedFields: null })),
    by("three", map, configMap("a", { k: "1" }, { managedFields: null })),
  ],
  "an apply of a custom resource with empty metadata raises the resourceVersion each time": [
    defineWidget(),
    ...[{ labels: {} }, { labels: { a: null } }, { finalizers: [] }, { ownerReferences: null }].flatMap(
      (metadata, index) => {
        const path = `${widgets}/w${index}`;
        const applyEmpty = by("one", path, widget(`w${index}`, {}, metadata));
        return [
          { ...applyEmpty, capture: { rv: "metadata.resourceVersion" } },
          // A real server detects a no-op write by its watch cache, which must have seen the last write.
          get(`${widgets}?resourceVersion={rv}`, { silent: true }),
          { ...applyEmpty, capture: { rv: "metadata.resourceVersion" } },
          get(`${widgets}?resourceVersion={rv}`, { silent: true }),
          mergePatch(path, {}, { capture: { rv: "metadata.resourceVersion" } }),
          get(`${widgets}?resourceVersion={rv}`, { silent: true }),
          mergePatch(path, {}),
        ];
      },
    ),
  ],
  "a stored object that does not match its schema is reported before the applied configuration": [
    defineSpec({ ...size, net: { type: "string", format: "cidr" } }, { subresources: { status: {} } }),
    post(widgets, spec({ size: 1, net: [] })),
    bySpec("one", { size: 1 }),
    bySpec("one", { size: "1" }),
    by("one", one, widget("a", { spec: { size: 1 } }, { managedFields: [{}] })),
    by("one", one, { ...spec({ size: 1 }), kind: "Odd" }),
    by("one", `${one}/status`, spec({ size: 1 })),
    bySpec("kubectl", { size: 1 }, "&force=true"),
    mergePatch(one, { spec: { net: "10.0.0.0/8" } }),
    bySpec("one", { size: 1 }),
    put(one, spec({ size: 1, net: [] })),
    mergePatch(one, { spec: { net: [] } }),
    bySpec("two", { size: 1 }),
  ],
});
