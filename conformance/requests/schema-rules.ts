import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { post, type RequestStep, type Step, subject } from "../test-case.js";
import { widgetVersion } from "./custom-kind.js";
import { definitions, size, specSchema, version, widgetDefinition } from "./sample-objects.js";

const shown = ["kind", "code", "reason", "message", "details"];

/** An embedded object with these properties. */
function embedded(properties: JsonObject): JsonObject {
  return { type: "object", "x-kubernetes-embedded-resource": true, properties };
}

/** A dry-run create of a CRD, so that many can follow one another. */
function attempt(versions: JsonValue, spec: JsonObject = {}, metadata: JsonObject = {}): RequestStep {
  const whole = widgetDefinition(versions, spec);
  const body = { ...whole, metadata: { ...(whole["metadata"] as JsonObject), ...metadata } };
  return post(`${definitions}?dryRun=All`, body, { fields: shown });
}

/** Properties of a spec, each in a separate CRD that is not stored. */
export const properties = (...tried: readonly JsonObject[]): Step[] => schemas(...tried.map((p) => specSchema({ p })));

/** Schemas of a whole object, each in a separate CRD. */
const schemas = (...tried: readonly JsonObject[]): Step[] => tried.map((schema) => attempt([version("v1", schema)]));

/** Fields of a version, each in a separate CRD. */
const parts = (...tried: readonly JsonObject[]): Step[] => tried.map((part) => attempt([widgetVersion("v1", part)]));

const list = (rest: JsonObject, items: JsonObject = { type: "string" }): JsonObject => ({
  type: "array",
  items,
  ...rest,
});
const mapList = (keys: JsonValue, item: JsonObject): JsonObject =>
  list({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys }, { type: "object", ...item });

/** Validation of structural schemas. */
export const schemaRules = subject("schema-rules", {
  "forbidden keywords of a schema are rejected": properties(
    { type: "string", id: "x" },
    { type: "string", $schema: "http://json-schema.org/draft-04/schema#" },
    list({ additionalItems: { type: "string" } }),
    { type: "object", patternProperties: { a: { type: "string" } } },
    { type: "object", definitions: { a: { type: "string" } } },
    { type: "object", dependencies: { a: ["b"] } },
    { type: "null" },
    { type: "array", items: [{ type: "string" }] },
    { type: "array", items: { type: "string", id: "x" } },
  ),
  "a structural schema needs types": properties(
    { type: "object", properties: { a: {} } },
    { type: "object", additionalProperties: {} },
    { type: "object", additionalProperties: true },
    { type: "object", additionalProperties: false },
    { type: "array", items: {} },
    { "x-kubernetes-preserve-unknown-fields": true },
    { "x-kubernetes-int-or-string": true },
    { type: "", properties: { a: { type: "string" } } },
    { type: "array", items: { type: "array" } },
  ),
  "int-or-string may name types in two forms": properties(
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    {
      "x-kubernetes-int-or-string": true,
      allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { minimum: 1 }],
    },
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "string" }, { type: "integer" }] },
    { "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true },
    { "x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true, type: "object" },
  ),
  "logical junctors may not contain structural keywords": properties(
    { type: "string", not: { type: "string" } },
    { type: "object", oneOf: [{ additionalProperties: { type: "string" } }] },
    { type: "string", anyOf: [{ title: "x" }] },
    { type: "string", anyOf: [{ description: "x" }] },
    { type: "string", anyOf: [{ nullable: true }] },
    { type: "object", anyOf: [{ "x-kubernetes-preserve-unknown-fields": true }] },
    { type: "object", allOf: [{ "x-kubernetes-embedded-resource": true }] },
    { type: "object", oneOf: [{ "x-kubernetes-int-or-string": true }] },
    { type: "object", anyOf: [{ "x-kubernetes-map-type": "atomic" }] },
    list({ anyOf: [{ "x-kubernetes-list-type": "set" }] }),
    list({ allOf: [{ "x-kubernetes-list-map-keys": ["a"] }] }),
    { type: "object", properties: { a: { type: "string" } }, anyOf: [{ properties: { b: { minLength: 1 } } }] },
    { type: "object", properties: { a: { type: "string" } }, not: { properties: { a: { type: "string" } } } },
    { type: "object", allOf: [{ properties: { metadata: { minLength: 1 } } }] },
    list({ allOf: [{ items: { minLength: 1 } }] }),
    { type: "object", allOf: [{ items: { minLength: 1 } }] },
    { type: "object", allOf: [{ anyOf: [{ properties: { c: { pattern: "(" } } }] }] },
  ),
  "embedded resources in a schema are validated": properties(
    { type: "object", "x-kubernetes-embedded-resource": true },
    { type: "string", "x-kubernetes-embedded-resource": true },
    { "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    { type: "object", "x-kubernetes-embedded-resource": true, additionalProperties: { type: "string" } },
    { type: "object", "x-kubernetes-embedded-resource": true, properties: { kind: { type: "integer" } } },
    { type: "object", "x-kubernetes-embedded-resource": true, properties: { apiVersion: { type: "object" } } },
    { type: "object", "x-kubernetes-embedded-resource": true, properties: { metadata: { type: "string" } } },
    {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
    },
    {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: {
        metadata: { type: "object", properties: { a: { type: "object", "x-kubernetes-embedded-resource": true } } },
      },
    },
    {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { metadata: { type: "object", properties: { name: { type: "string", default: "A B" } } } },
    },
  ),
  "list types in a schema are validated": properties(
    list({ "x-kubernetes-list-type": "nonsense" }),
    list({ "x-kubernetes-list-map-keys": ["a"] }),
    list({ "x-kubernetes-list-type": "set", "x-kubernetes-list-map-keys": ["a"] }),
    list({ "x-kubernetes-list-type": "map" }),
    list({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] }),
    { "x-kubernetes-list-type": "set", "x-kubernetes-preserve-unknown-fields": true },
    mapList(["b"], { properties: { a: { type: "string" } }, required: ["a"] }),
    mapList(["a", "a"], { properties: { a: { type: "string" } }, required: ["a"] }),
    mapList(["a"], { properties: { a: { type: "object" } }, required: ["a"] }),
    mapList(["a"], { properties: { a: { type: "string", nullable: true } }, required: ["a"] }),
    mapList(["a"], { nullable: true, properties: { a: { type: "string" } }, required: ["a"] }),
    list({ "x-kubernetes-list-type": "set" }, { type: "string", nullable: true }),
    list({ "x-kubernetes-list-type": "set" }, list({ "x-kubernetes-list-type": "set" })),
    list({ "x-kubernetes-list-type": "set" }, list({})),
    list({ "x-kubernetes-list-type": "set" }, { type: "object", "x-kubernetes-map-type": "atomic" }),
    { type: "object", "x-kubernetes-map-type": "nonsense" },
    { type: "string", "x-kubernetes-map-type": "atomic" },
  ),
  "patterns are parsed as RE2": properties(
    { type: "string", pattern: "a)" },
    { type: "string", pattern: "[a" },
    { type: "string", pattern: "*a" },
    { type: "string", pattern: "a**" },
    { type: "string", pattern: "a{2,1}" },
    { type: "string", pattern: "a{1001}" },
    { type: "string", pattern: "(?=a)" },
    { type: "string", pattern: "(?!a)" },
    { type: "string", pattern: "(?<=a)b" },
    { type: "string", pattern: "\\1" },
    { type: "string", pattern: "\\y" },
    { type: "string", pattern: "a\\" },
    { type: "string", pattern: "[b-a]" },
    { type: "string", pattern: "[[:nonsense:]]" },
    { type: "string", pattern: "\\pX" },
    { type: "string", pattern: "(?P<n>a)(?P<n>b)" },
    { type: "string", pattern: "(?P<n" },
    { type: "string", pattern: "(?z)" },
    { type: "string", pattern: "x{2}{3}" },
    { type: "string", pattern: "((a{100}){100}){100}" },
    { type: "string", pattern: "\\Qa.b\\E[[:^alpha:]]\\p{Greek}\\C" },
    { type: "string", pattern: "(?i)a(?-i:b)(?s:.)(?U)a+?\\z\\Ax{,3}[]a][^]a]" },
  ),
  "defaults are validated against their schema": properties(
    { type: "integer", default: 1.5 },
    { type: "strange", format: "ipv4", default: "10.0.0.1" },
    { type: "strange", format: "ipv4", default: "x" },
    { type: "strange", format: "odd", default: "x" },
    { type: "boolean", format: "ipv4", default: "10.0.0.1" },
    { type: "boolean", format: "ipv4", default: "x" },
    { type: "number", format: "ipv4", default: "x" },
    { type: "array", items: { type: "string" }, format: "odd", default: "x" },
    { type: "strange", format: "ipv4", default: 1 },
    { type: "strange", format: "int64", default: 8 },
    { type: "strange", format: "int32", default: 8 },
    { type: "strange", format: "float64", default: 1.5 },
    { type: "string", format: "int64", default: 8 },
    { type: "integer", format: "int32", default: "a" },
    { type: "number", format: "float64", default: true },
    { "x-kubernetes-int-or-string": true, format: "int32", default: 8 },
    { "x-kubernetes-int-or-string": true, format: "int64", default: 8 },
    { "x-kubernetes-int-or-string": true, format: "date", default: "a" },
    { "x-kubernetes-preserve-unknown-fields": true, format: "int64", default: 8 },
    { "x-kubernetes-preserve-unknown-fields": true, format: "int32", default: true },
    { type: "integer", minimum: 3, default: 2 },
    { type: "string", enum: ["a"], default: "b" },
    { type: "string", pattern: "^a$", default: "b" },
    { type: "string", nullable: true, default: null },
    { type: "string", default: null },
    { type: "object", required: ["a"], properties: { a: { type: "string" } }, default: {} },
    { type: "object", properties: { a: { type: "string", default: 3 } }, default: {} },
    list({ default: ["a", 1] }),
    list({ "x-kubernetes-list-type": "set", default: ["a", "a"] }),
    { type: "object", additionalProperties: { type: "string", default: "a" } },
    { type: "object", additionalProperties: { type: "string" }, default: { a: 1 } },
    { type: "array", items: { type: "object", properties: { a: { type: "string", default: 1 } } } },
    { "x-kubernetes-int-or-string": true, default: true },
    { type: "object", "x-kubernetes-preserve-unknown-fields": true, default: { a: { b: 1 } } },
    { type: "string", format: "date", default: "today" },
    {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      default: { a: 1 },
    },
  ),
  "defaults inside metadata must be valid metadata": properties(
    embedded({ kind: { type: "string", default: "2020-01-01" } }),
    embedded({ kind: { type: "string", default: "" } }),
    embedded({ kind: { type: "string", default: 1 } }),
    embedded({ kind: { type: "string", maxLength: 2, default: "Pod" } }),
    embedded({ apiVersion: { type: "string", default: "a/b/c" } }),
    embedded({ apiVersion: { type: "string", default: "v1" } }),
    embedded({ metadata: { type: "object", default: { name: "a/b" } } }),
    embedded({ metadata: { type: "object", default: { labels: 1 } } }),
    embedded({ metadata: { type: "object", properties: { name: { type: "string", default: "a/b" } } } }),
    embedded({ metadata: { type: "object", properties: { name: { type: "string", default: 1 } } } }),
    embedded({
      metadata: {
        type: "object",
        properties: { finalizers: { type: "array", items: { type: "string", default: "a b" } } },
      },
    }),
    embedded({ inner: embedded({ kind: { type: "string", default: "a_b" } }) }),
  ),
  "a keyword of a wrong type is rejected, the first in a nested schema before others": properties(
    { minimum: "1" },
    { items: { minimum: "1" } },
    { items: [{ minimum: "1" }] },
    { additionalProperties: { type: 1 } },
    { properties: { a: { minimum: "1" }, b: { items: { maximum: "2" } } } },
    { properties: { a: { items: { maximum: "2" } }, b: { items: { minimum: "1" } } } },
    { items: { minimum: "1", items: { maximum: "2" } } },
    { additionalProperties: { items: { properties: { a: { minItems: 1.5 } } } }, maximum: "1" },
    { type: "array", items: { type: "object", nothing: 1, properties: { a: { type: "string", none: 2 } } } },
    { not: { minimum: "1" }, allOf: [{ maximum: "1" }] },
  ),
  "the root of a schema is validated": schemas(
    { type: "object", nullable: true },
    { type: "object", additionalProperties: { type: "string" } },
    { type: "object", properties: { kind: { type: "integer" } } },
    { type: "object", properties: { apiVersion: { type: "integer" } } },
    { type: "object", properties: { metadata: { type: "string" } } },
    { type: "object", properties: { metadata: { type: "object", properties: { name: { type: "string" } } } } },
    { type: "object", properties: { metadata: { type: "object", maxProperties: 3 } } },
    { type: "object", properties: { metadata: { type: "object", description: "x" } } },
    {
      type: "object",
      properties: { metadata: { type: "object", properties: { name: { type: "string", default: "a" } } } },
    },
    { type: "object", properties: { kind: { type: "string", default: "Widget" } } },
    { type: "object", properties: { kind: { type: "string", default: "a_b" } } },
    { type: "object", properties: { apiVersion: { type: "string", default: "" } } },
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    { type: "object", default: { spec: {} }, properties: { spec: { type: "object" } } },
    {},
  ),
  "with a status subresource the root allows fewer keywords": [
    attempt([version("v1", { ...specSchema(size), minProperties: 1 }, { subresources: { status: {} } })]),
    attempt([version("v1", { ...specSchema(size), required: ["spec"], title: "x" }, { subresources: { status: {} } })]),
    attempt([version("v1", { type: "string" }, { subresources: { status: {} } })]),
  ],
  "printer columns are validated one by one": parts(
    { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: "spec" }] },
    { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: "." }] },
    { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".spec[" }] },
    { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".spec.a", format: "nonsense" }] },
    { additionalPrinterColumns: [{ name: "A", type: "", jsonPath: ".spec.a" }] },
    { additionalPrinterColumns: [{ name: "A", type: "date", jsonPath: ".spec.a", priority: -1 }] },
    { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: '.spec.x[?(@.type=="a")].y' }] },
  ),
  "the paths of a scale subresource are validated": parts(
    { subresources: { scale: { specReplicasPath: ".spec.a" } } },
    { subresources: { scale: { specReplicasPath: ".status.a", statusReplicasPath: ".status.a" } } },
    { subresources: { scale: { specReplicasPath: ".spec.a", statusReplicasPath: "." } } },
    {
      subresources: {
        scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a", labelSelectorPath: ".x" },
      },
    },
    {
      subresources: {
        scale: { specReplicasPath: ".spec.a[0]", statusReplicasPath: ".status.a", labelSelectorPath: "" },
      },
    },
  ),
  "selectable fields are validated one by one": parts(
    { selectableFields: [{ jsonPath: "" }] },
    { selectableFields: [{ jsonPath: ".spec.none" }] },
    { selectableFields: [{ jsonPath: ".spec" }] },
    { selectableFields: [{ jsonPath: ".metadata.name" }] },
    { selectableFields: [{ jsonPath: "spec.color" }] },
    { selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.color" }] },
    { selectableFields: [{ jsonPath: ".spec['color']" }] },
    { selectableFields: [{ jsonPath: ".spec.color." }] },
    { selectableFields: [{ jsonPath: ".spec[0]" }] },
  ),
  "more than eight selectable fields are rejected": [
    attempt([
      version("v1", specSchema(Object.fromEntries("abcdefghi".split("").map((name) => [name, { type: "string" }]))), {
        selectableFields: "abcdefghi".split("").map((name) => ({ jsonPath: `.spec.${name}` })),
      }),
    ]),
  ],
  "deprecation warnings are validated": parts(
    { deprecated: true, deprecationWarning: "" },
    { deprecated: true, deprecationWarning: "x".repeat(257) },
    { deprecated: true, deprecationWarning: "a\nb" },
    { deprecationWarning: "x" },
  ),
  "versions must be consistent": [
    attempt([
      version("v1", specSchema({ p: { type: "nonsense" } })),
      version("v2", specSchema({ p: { type: "nonsense" } }), { storage: false }),
    ]),
    attempt([widgetVersion("v1"), version("v2", specSchema({ p: {} }), { storage: false })]),
    attempt([widgetVersion("v1", { served: false })]),
    attempt([widgetVersion("1v")]),
    attempt([widgetVersion("")]),
  ],
  "names and groups are validated": [
    attempt([widgetVersion("v1")], { group: "nodots" }, { name: "widgets.nodots" }),
    attempt([widgetVersion("v1")], { group: "A.b" }, { name: "widgets.A.b" }),
    attempt([widgetVersion("v1")], { group: "" }, { name: "widgets." }),
    attempt([widgetVersion("v1")], { scope: "" }),
    attempt([widgetVersion("v1")], {
      names: { kind: "widget", plural: "widgets", singular: "Wid", categories: ["A"] },
    }),
    attempt([widgetVersion("v1")], { names: { plural: "widgets" } }),
    attempt([widgetVersion("v1")], { names: { kind: "1Widget", plural: "widgets", listKind: "L_" } }),
  ],
  "protected groups need the api-approved annotation": [
    ...["unapproved, for tests", "https://github.com/kubernetes/enhancements/pull/1", "nonsense", ""].map((text) =>
      attempt(
        [widgetVersion("v1")],
        { group: "x.k8s.io" },
        { name: "widgets.x.k8s.io", annotations: { "api-approved.kubernetes.io": text } },
      ),
    ),
  ],
  "webhook conversions are validated first": [
    attempt([widgetVersion("v1")], { conversion: {} }),
    attempt([widgetVersion("v1")], {
      conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } },
    }),
    attempt([widgetVersion("v1")], {
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: [], clientConfig: { url: "https://a.example.com" } },
      },
    }),
    attempt([widgetVersion("v1")], {
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v9"], clientConfig: { url: "http://a.example.com" } },
      },
    }),
    attempt([widgetVersion("v1")], {
      conversion: { strategy: "None", webhook: { conversionReviewVersions: ["v1"], clientConfig: {} } },
    }),
  ],
  "CEL rules are validated before they are compiled": properties(
    { type: "string", "x-kubernetes-validations": [{ rule: "" }] },
    { type: "string", "x-kubernetes-validations": [{ rule: "true", message: " " }] },
    { type: "string", "x-kubernetes-validations": [{ rule: "true", message: "a\nb" }] },
    { type: "string", "x-kubernetes-validations": [{ rule: "true &&\ntrue" }] },
    { type: "string", "x-kubernetes-validations": [{ rule: "true", reason: "Nonsense" }] },
    { type: "string", "x-kubernetes-validations": [{ rule: "true", messageExpression: " " }] },
    { type: "object", "x-kubernetes-validations": [{ rule: "true", fieldPath: ".none" }] },
    { type: "string", anyOf: [{ "x-kubernetes-validations": [{ rule: "true" }] }] },
  ),
});
