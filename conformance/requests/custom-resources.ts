import type { JsonObject } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, type Step, subject, wording } from "../test-case.js";
import { changeSpec, defineSpec, defineVersions, postSpecs, widgetVersion } from "./custom-kind.js";
import { define, size, specSchema, version, widget, widgets } from "./sample-objects.js";
import { boolean, embedded, integer, listOf, mapOf, number, object, string } from "./schema-builders.js";

const formatted = (format: string): JsonObject => ({ type: "string", format });
const plain = widgetVersion("v1");

/** Defines Widget in two versions of different fields. */
function defineTwoVersions(rest: JsonObject = {}): Step[] {
  const older = specSchema({ size: { type: "integer", default: 5 }, other: string });
  return defineVersions([widgetVersion("v1", rest), version("v1beta1", older, { storage: false, ...rest })]);
}

const emptyMetadata: JsonObject = { generateName: "", selfLink: "", uid: "", resourceVersion: "" };

/** Writes of an object with another apiVersion or kind, and with fields that only some versions have. */
const disguised: Step[] = [
  ["{group}/v1beta1", "Widget"],
  ["{group}/v9", "Widget"],
  ["v1", "Widget"],
  ["", "Widget"],
  [null, "Widget"],
  ["{group}/v1beta1", "Gadget"],
].flatMap(([apiVersion = null, kind = null]) => {
  const type = { apiVersion, kind };
  const spec = { size: 1, color: "x", other: "y", none: null, nothing: [1] };
  const shown = { fields: ["kind", "code", "reason", "message", "details", "spec", "status"] };
  return [
    post(widgets, { ...type, metadata: { name: "b", nothing: 1 }, spec, status: { nothing: 1 } }, shown),
    post(`${widgets}?fieldValidation=Strict`, { ...type, metadata: { name: "b" }, spec, nothing: 1 }, shown),
    post(`${widgets}?fieldValidation=Strict`, { ...type, metadata: { name: "b", nothing: 1 } }, shown),
    post(widgets, { ...type, metadata: { name: "b", labels: 1 } }, shown),
    post(`${widgets}?fieldValidation=Strict`, { ...type, metadata: { name: "b" } }, shown),
    put(`${widgets}/a?fieldValidation=Strict`, { ...type, metadata: { name: "a", nothing: 1 }, spec }, shown),
    put(`${widgets}/a/status`, { ...type, metadata: { name: "a" }, spec, status: { ready: true, x: 1 } }, shown),
    mergePatch(`${widgets}/a`, { ...type, spec }, shown),
    mergePatch(`${widgets}/a?fieldValidation=Strict`, { ...type, metadata: { nothing: 1 }, spec }, shown),
    mergePatch(`${widgets}/a/status`, { ...type, metadata: { nothing: 1 }, status: { ready: true, x: 1 } }, shown),
    apply(`${widgets}/a?fieldManager=me`, { ...type, metadata: { name: "a", nothing: 1 }, spec }, shown),
  ];
});

/** Pruning, defaulting and validation of custom resources. */
export const customResources = subject("custom-resources", {
  "unknown fields are pruned at every depth": [
    defineSpec({ inner: object({ a: string }), list: listOf(object({ a: string })) }),
    post(widgets, widget("a", { spec: { x: 1, inner: { a: "1", x: 1 }, list: [{ a: "1", x: 1 }] } })),
  ],
  "unknown fields are kept under x-kubernetes-preserve-unknown-fields": [
    defineSpec({ free: object({ inner: object({ a: string }) }, { "x-kubernetes-preserve-unknown-fields": true }) }),
    post(widgets, widget("a", { spec: { free: { x: 1, inner: { a: "1", x: 1 }, y: { z: [1, null, "a"] } } } })),
  ],
  "defaults are applied at every depth": [
    defineSpec({
      size: { type: "integer", default: 3 },
      inner: object({ a: { type: "string", default: "x" } }, { default: {} }),
      absent: object({ a: { type: "string", default: "x" } }),
      list: listOf(object({ a: { type: "string", default: "y" } })),
    }),
    post(widgets, widget("a", { spec: { list: [{}, { a: "own" }] } })),
    post(widgets, widget("b")),
  ],
  "null is kept if nullable, replaced by a default, else dropped": [
    defineSpec({
      may: { type: "string", nullable: true },
      mayDefault: { type: "string", nullable: true, default: "x" },
      mustDefault: { type: "string", default: "y" },
      must: string,
    }),
    post(widgets, widget("a", { spec: { may: null, mayDefault: null, mustDefault: null, must: null } })),
  ],
  "values of the wrong type are rejected": wording(
    defineSpec({ ...size, ok: boolean, list: listOf(integer), map: mapOf(string), ratio: number }),
    postSpecs(
      { size: "1" },
      { color: 1 },
      { ok: "true" },
      { list: ["a"] },
      { list: {} },
      { map: { a: 1 } },
      "text",
      { size: 1.5 },
      { ratio: "1" },
    ),
  ),
  "missing required fields are rejected": wording(
    define(specSchema(size, { required: ["size", "color"] })),
    postSpecs({}, { size: 1 }),
    post(widgets, widget("a", {})),
  ),
  "minimum and maximum of numbers are enforced": [
    defineSpec({
      n: { type: "integer", minimum: 2, maximum: 5 },
      e: { type: "integer", minimum: 2, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
      m: { type: "integer", multipleOf: 3 },
    }),
    postSpecs({ n: 1 }, { n: 6 }, { e: 2 }, { e: 5 }, { m: 4 }),
  ],
  "length and pattern of strings are enforced": [
    defineSpec({
      t: { type: "string", minLength: 2, maxLength: 4 },
      p: { type: "string", pattern: "^[a-z]+$" },
      e: { type: "string", enum: ["red", "blue"] },
    }),
    postSpecs({ t: "x" }, { t: "xxxxx" }, { p: "X1" }, { e: "green" }, { t: "éééé" }),
  ],
  "formats are enforced": wording(
    defineSpec({
      d: formatted("date-time"),
      i: formatted("ipv4"),
      u: formatted("uuid"),
      b: formatted("byte"),
      e: formatted("email"),
      dur: formatted("duration"),
      i32: { type: "integer", format: "int32" },
      c: formatted("cidr"),
      dt: formatted("date"),
      un: formatted("made-up"),
    }),
    postSpecs(
      { d: "yesterday" },
      { i: "1.2.3" },
      { u: "x" },
      { b: "?" },
      { e: "x" },
      { dur: "x" },
      { i32: 2_147_483_648 },
      { c: "x" },
      { dt: "x" },
      { un: "x" },
    ),
  ),
  "int-or-string accepts integers and strings only": wording(
    defineSpec({ p: { "x-kubernetes-int-or-string": true } }),
    post(widgets, widget("a", { spec: { p: 80 } })),
    post(widgets, widget("b", { spec: { p: "http" } })),
    post(widgets, widget("c", { spec: { p: true } })),
  ),
  "oneOf, anyOf, allOf and not are enforced": wording(
    define(
      specSchema(
        { a: string, b: string },
        {
          oneOf: [{ required: ["a"] }, { required: ["b"] }],
          not: { properties: { a: { enum: ["bad"] } }, required: ["a"] },
        },
      ),
    ),
    post(widgets, widget("a", { spec: { a: "1" } })),
    post(widgets, widget("b", { spec: { a: "1", b: "1" } })),
    post(widgets, widget("c", { spec: {} })),
    post(widgets, widget("d", { spec: { a: "bad" } })),
  ),
  "an embedded resource is validated": wording(
    defineSpec({ template: embedded }),
    post(
      widgets,
      widget("a", {
        spec: {
          template: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", nothing: 1 }, data: { a: "1" } },
        },
      }),
    ),
    post(widgets, widget("b", { spec: { template: { data: {} } } })),
    post(
      widgets,
      widget("c", { spec: { template: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "Bad_" } } } }),
    ),
  ),
  "empty strings in metadata are dropped": [
    defineSpec({ template: { ...embedded, "x-kubernetes-preserve-unknown-fields": true } }),
    post(widgets, widget("a", {}, emptyMetadata)),
    put(`${widgets}/a`, widget("a", { spec: {} }, emptyMetadata)),
    mergePatch(`${widgets}/a`, { metadata: emptyMetadata }),
    apply(`${widgets}/a?fieldManager=me&force=true`, widget("a", {}, emptyMetadata)),
    apply(`${widgets}/b?fieldManager=me`, widget("b", {}, emptyMetadata)),
    post(
      widgets,
      widget("c", {
        spec: { template: { apiVersion: "v1", kind: "ConfigMap", metadata: { ...emptyMetadata, namespace: "" } } },
      }),
    ),
  ],
  "the schema can restrict metadata.name": [
    define(object({ metadata: object({ name: { type: "string", maxLength: 3 } }) })),
    post(widgets, widget("abcd")),
    post(widgets, widget("abc")),
  ],
  "several errors are reported together": wording(
    define(specSchema({ ...size, p: { type: "string", pattern: "^a" } }, { required: ["size"] })),
    post(widgets, widget("a", { spec: { p: "b", color: "c" } })),
  ),
  "a changed schema does not fail unchanged fields": [
    defineSpec({ color: string, size: integer }),
    post(widgets, widget("a", { spec: { color: "green" } })),
    { ...changeSpec({ color: { type: "string", enum: ["red"] }, size: integer }), silent: true },
    { ...post(`${widgets}?dryRun=All`, widget("probe", { spec: { color: "green" } })), until: { status: 422 } },
    mergePatch(`${widgets}/a`, { spec: { size: 1 } }),
    mergePatch(`${widgets}/a`, { spec: { color: "blue" } }),
  ],
  "an object is served in every version": [
    defineTwoVersions(),
    post(widgets, widget("a", { spec: { size: 1 } })),
    get("/apis/{group}/v1beta1/namespaces/{ns}/widgets/a"),
    post("/apis/{group}/v1beta1/namespaces/{ns}/widgets", {
      apiVersion: "{group}/v1beta1",
      kind: "Widget",
      metadata: { name: "b" },
      spec: {},
    }),
    get(`${widgets}/b`),
    get("/apis/{group}/v1beta1/namespaces/{ns}/widgets"),
  ],
  "a custom resource of another apiVersion or kind is rejected with its unknown fields": [
    defineTwoVersions({ subresources: { status: {} } }),
    post(widgets, widget("a", { spec: { size: 1 } })),
    disguised,
  ],
  "a version that is not served is not found": [
    defineVersions([plain, widgetVersion("v2", { served: false, storage: false })]),
    get("/apis/{group}/v2/namespaces/{ns}/widgets"),
  ],
  "a cluster-scoped custom resource has no namespace": [
    defineVersions([plain], { scope: "Cluster" }),
    post("/apis/{group}/v1/widgets", widget("a")),
    get("/apis/{group}/v1/widgets/a"),
    post("/apis/{group}/v1/namespaces/{ns}/widgets", widget("b")),
    post("/apis/{group}/v1/widgets", widget("c", {}, { namespace: "{ns}" })),
  ],
  "keys such as __proto__ are data": [
    defineSpec({ free: mapOf(string) }),
    {
      ...post(widgets, widget("a")),
      text: '{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"a","labels":{"constructor":"x"}},"spec":{"free":{"__proto__":"1","constructor":"2","toString":"3"}}}',
    },
    get(`${widgets}/a`),
  ],
  "large numbers keep as many digits as a real server keeps": [
    defineSpec({ i: integer, n: number }),
    post(widgets, { ...widget("a"), spec: { i: 9_007_199_254_740_991, n: 1e21 } }),
    {
      ...post(widgets, {}),
      text: '{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"b"},"spec":{"i":1.0,"n":1.50}}',
    },
  ],
});
