import type { JsonObject } from "@kubewright/core/json";
import { type Case, get, mergePatch, post, put, remove, type Step, type Subject, scenario, waitFor } from "../case.js";
import {
  define,
  definition,
  definitions,
  size,
  specSchema,
  version,
  widget,
  widgetDefinition,
  widgets,
} from "./sample-objects.js";

const plain = version("v1", specSchema(size));

/** A definition that is refused, by its schema. */
function refusedSchema(name: string, schema: JsonObject): Case {
  return scenario(name, post(definitions, widgetDefinition([version("v1", schema)])));
}

/** Properties of a spec that are refused. */
const refusedProperty = (name: string, property: JsonObject): Case => refusedSchema(name, specSchema({ p: property }));

/** How definitions are taken, checked and changed. */
export const definitionCases: Subject = {
  name: "definitions",
  cases: [
    scenario(
      "a definition gets defaults, names and conditions",
      post(definitions, widgetDefinition([plain])),
      get(definition, { until: { includes: "InitialNamesAccepted" } }),
    ),
    scenario(
      "a definition of a cluster-scoped kind with all names is taken",
      post(
        definitions,
        widgetDefinition([plain], {
          scope: "Cluster",
          names: {
            kind: "Widget",
            plural: "widgets",
            singular: "widget",
            listKind: "WidgetList",
            shortNames: ["wd"],
            categories: ["all"],
          },
        }),
      ),
    ),
    scenario(
      "a definition named otherwise than plural.group is refused",
      post(definitions, { ...widgetDefinition([plain]), metadata: { name: "other.{group}" } }),
    ),
    scenario("a definition without versions is refused", post(definitions, widgetDefinition([]))),
    scenario(
      "a definition without storage version, or with two, is refused",
      post(definitions, widgetDefinition([version("v1", specSchema(size), { storage: false })])),
      post(definitions, widgetDefinition([plain, version("v2", specSchema(size))])),
    ),
    scenario(
      "a definition with the same version twice is refused",
      post(definitions, widgetDefinition([plain, version("v1", specSchema(size), { storage: false })])),
    ),
    scenario(
      "a definition with a version of a bad name is refused",
      post(definitions, widgetDefinition([version("V_1", specSchema(size))])),
    ),
    scenario(
      "a definition without a schema is refused",
      post(definitions, widgetDefinition([{ name: "v1", served: true, storage: true }])),
    ),
    scenario(
      "a definition without names or scope is refused",
      post(definitions, widgetDefinition([plain], { names: { kind: "", plural: "" } })),
      post(definitions, widgetDefinition([plain], { scope: "Nonsense" })),
      post(
        definitions,
        widgetDefinition([plain], { names: { kind: "Widget", plural: "widgets", listKind: "Widget" } }),
      ),
      post(
        definitions,
        widgetDefinition([plain], { names: { kind: "Wid get", plural: "widgets", shortNames: ["A B"] } }),
      ),
    ),
    scenario(
      "a definition with preserveUnknownFields is refused",
      post(definitions, widgetDefinition([plain], { preserveUnknownFields: true })),
    ),
    scenario(
      "a definition of a protected group needs approval",
      post(definitions, {
        ...widgetDefinition([plain], { group: "x.k8s.io" }),
        metadata: { name: "widgets.x.k8s.io" },
      }),
    ),
    scenario(
      "a conversion that makes no sense is refused",
      post(definitions, widgetDefinition([plain], { conversion: { strategy: "Nonsense" } })),
      post(definitions, widgetDefinition([plain], { conversion: { strategy: "Webhook" } })),
      post(
        definitions,
        widgetDefinition([plain], { conversion: { strategy: "None", webhook: { conversionReviewVersions: ["v1"] } } }),
      ),
    ),
    scenario(
      "group, scope and kind cannot change once they are established",
      ...define(specSchema(size)),
      mergePatch(definition, { spec: { scope: "Cluster" } }),
      mergePatch(definition, { spec: { names: { kind: "Gadget" } } }),
      mergePatch(definition, { spec: { group: "other.example.com" } }),
      mergePatch(definition, { spec: { names: { plural: "gadgets" } } }),
    ),
    scenario(
      "a version that holds objects cannot be removed",
      ...define(specSchema(size)),
      mergePatch(definition, { spec: { versions: [version("v2", specSchema(size))] } }),
    ),
    scenario(
      "a new storage version is added to the stored ones",
      ...define(specSchema(size)),
      mergePatch(definition, {
        spec: { versions: [version("v1", specSchema(size), { storage: false }), version("v2", specSchema(size))] },
      }),
      get(definition),
    ),
    scenario(
      "storedVersions of the status can be cleaned, but not of the storage version",
      ...define(specSchema(size)),
      mergePatch(
        definition,
        { spec: { versions: [version("v1", specSchema(size), { storage: false }), version("v2", specSchema(size))] } },
        { fields: ["kind"] },
      ),
      mergePatch(
        `${definition}/status`,
        { status: { storedVersions: ["v2"] } },
        { fields: ["code", "message", "kind"] },
      ),
      mergePatch(
        `${definition}/status`,
        { status: { storedVersions: ["v1"] } },
        { fields: ["code", "message", "kind"] },
      ),
      get(definition, { fields: ["metadata", "status"] }),
    ),
    scenario(
      "names that are taken in the group are not accepted",
      ...define(specSchema(size)),
      post(definitions, {
        ...widgetDefinition([plain], { names: { kind: "Widget", plural: "gadgets" } }),
        metadata: { name: "gadgets.{group}" },
      }),
      get(`${definitions}/gadgets.{group}`, { until: { includes: "NamesAccepted" } }),
    ),
    scenario(
      "a definition needs a version for an update",
      ...define(specSchema(size)),
      put(definition, widgetDefinition([plain])),
    ),
    scenario(
      "a definition's generation grows with its spec",
      ...define(specSchema(size)),
      mergePatch(
        definition,
        { spec: { versions: [version("v1", specSchema({ ...size, more: { type: "string" } }))] } },
        { fields: ["metadata", "spec"] },
      ),
      mergePatch(definition, { metadata: { labels: { a: "b" } } }, { fields: ["metadata", "spec"] }),
    ),
    scenario(
      "a definition that is deleted takes its objects along",
      ...define(specSchema(size)),
      post(widgets, widget("a")),
      remove(definition, undefined, { fields: ["kind", "code", "status"] }),
      get(definition, { until: { status: 404 } }),
      get(widgets, { until: { status: 404 } }),
    ),
    scenario(
      "a deprecated version warns",
      ...define(specSchema(size), { deprecated: true }),
      get(widgets),
      post(widgets, widget("a")),
    ),
    scenario(
      "a deprecated version warns in its own words",
      ...define(specSchema(size), { deprecated: true, deprecationWarning: "use something else" }),
      get(widgets),
    ),
    scenario(
      "a deprecation warning needs deprecated",
      post(definitions, widgetDefinition([version("v1", specSchema(size), { deprecationWarning: "x" })])),
    ),
    refusedSchema("a schema without a type at its root is refused", { properties: { spec: { type: "object" } } }),
    refusedSchema("a schema that is no object at its root is refused", { type: "string" }),
    refusedProperty("a property without a type is refused", { description: "nothing" }),
    refusedProperty("a property of an unknown type is refused", { type: "nonsense" }),
    refusedProperty("a list without items is refused", { type: "array" }),
    refusedProperty("properties beside additionalProperties are refused", {
      type: "object",
      properties: { a: { type: "string" } },
      additionalProperties: { type: "string" },
    }),
    refusedProperty("a type inside of anyOf is refused", { type: "string", anyOf: [{ type: "string" }] }),
    refusedProperty("a default inside of allOf is refused", { type: "string", allOf: [{ default: "x" }] }),
    refusedProperty("uniqueItems is refused", { type: "array", items: { type: "string" }, uniqueItems: true }),
    refusedProperty("a reference is refused", { $ref: "#/definitions/x" }),
    refusedProperty("a default against its own schema is refused", { type: "integer", default: "text" }),
    refusedProperty("a default that would be pruned is refused", {
      type: "object",
      properties: { a: { type: "string" } },
      default: { b: "1" },
    }),
    refusedProperty("a pattern that is none is refused", { type: "string", pattern: "(" }),
    refusedProperty("a map list without keys is refused", {
      type: "array",
      items: { type: "object", properties: { a: { type: "string" } } },
      "x-kubernetes-list-type": "map",
    }),
    refusedProperty("a map list whose key is optional and has no default is refused", {
      type: "array",
      items: { type: "object", properties: { a: { type: "string" } } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a"],
    }),
    refusedProperty("a set of objects that are not atomic is refused", {
      type: "array",
      items: { type: "object", properties: { a: { type: "string" } } },
      "x-kubernetes-list-type": "set",
    }),
    refusedProperty("a list type of a map is refused", { type: "object", "x-kubernetes-list-type": "map" }),
    refusedProperty("an int-or-string with another type is refused", {
      type: "string",
      "x-kubernetes-int-or-string": true,
    }),
    refusedProperty("an embedded resource without a type or its fields is refused", {
      "x-kubernetes-embedded-resource": true,
    }),
    refusedProperty("preserve-unknown-fields set to false is refused", {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": false,
    }),
    refusedSchema("metadata with more than name and generateName is refused", {
      type: "object",
      properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
    }),
    scenario(
      "printer columns that make no sense are refused",
      post(
        definitions,
        widgetDefinition([
          version("v1", specSchema(size), {
            additionalPrinterColumns: [
              { name: "", type: "nonsense", jsonPath: "spec" },
              { name: "X", type: "string", jsonPath: "" },
            ],
          }),
        ]),
      ),
    ),
    scenario(
      "selectable fields that make no sense are refused",
      post(
        definitions,
        widgetDefinition([
          version("v1", specSchema({ ...size, list: { type: "array", items: { type: "string" } } }), {
            selectableFields: [
              { jsonPath: ".spec.none" },
              { jsonPath: ".spec.list" },
              { jsonPath: ".spec.color" },
              { jsonPath: ".spec.color" },
              { jsonPath: "spec.size" },
            ],
          }),
        ]),
      ),
    ),
    scenario(
      "a scale that makes no sense is refused",
      post(
        definitions,
        widgetDefinition([
          version("v1", specSchema(size), {
            subresources: { scale: { specReplicasPath: "replicas", statusReplicasPath: ".spec.x" } },
          }),
        ]),
      ),
    ),
    scenario(
      "rules in CEL are checked when they are defined",
      post(
        definitions,
        widgetDefinition([
          version("v1", specSchema({ size: { type: "integer", "x-kubernetes-validations": [{ rule: "self >" }] } })),
        ]),
      ),
    ),
  ],
};

const twoVersions: Step[] = [
  {
    ...post(
      definitions,
      widgetDefinition([
        version("v1", specSchema(size)),
        version("v1beta1", specSchema({ size: { type: "integer", default: 5 }, other: { type: "string" } }), {
          storage: false,
        }),
      ]),
    ),
    silent: true,
  },
  waitFor("/apis/{group}/v1/widgets"),
  waitFor("/apis/{group}/v1beta1/widgets"),
];

/** How custom resources are pruned, filled and checked by their schema. */
export const customResources: Subject = {
  name: "custom-resources",
  cases: [
    scenario(
      "unknown fields are pruned at every depth",
      ...define(
        specSchema({
          inner: { type: "object", properties: { a: { type: "string" } } },
          list: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
        }),
      ),
      post(widgets, widget("a", { spec: { x: 1, inner: { a: "1", x: 1 }, list: [{ a: "1", x: 1 }] } })),
    ),
    scenario(
      "unknown fields are kept where the schema says so",
      ...define(
        specSchema({
          free: {
            type: "object",
            "x-kubernetes-preserve-unknown-fields": true,
            properties: { inner: { type: "object", properties: { a: { type: "string" } } } },
          },
        }),
      ),
      post(widgets, widget("a", { spec: { free: { x: 1, inner: { a: "1", x: 1 }, y: { z: [1, null, "a"] } } } })),
    ),
    scenario(
      "defaults are filled in at every depth",
      ...define(
        specSchema({
          size: { type: "integer", default: 3 },
          inner: { type: "object", default: {}, properties: { a: { type: "string", default: "x" } } },
          absent: { type: "object", properties: { a: { type: "string", default: "x" } } },
          list: { type: "array", items: { type: "object", properties: { a: { type: "string", default: "y" } } } },
        }),
      ),
      post(widgets, widget("a", { spec: { list: [{}, { a: "own" }] } })),
      post(widgets, widget("b")),
    ),
    scenario(
      "null is kept where it may be, replaced by a default, else dropped",
      ...define(
        specSchema({
          may: { type: "string", nullable: true },
          mayDefault: { type: "string", nullable: true, default: "x" },
          mustDefault: { type: "string", default: "y" },
          must: { type: "string" },
        }),
      ),
      post(widgets, widget("a", { spec: { may: null, mayDefault: null, mustDefault: null, must: null } })),
    ),
    scenario(
      "values of the wrong type are refused",
      ...define(
        specSchema({
          ...size,
          ok: { type: "boolean" },
          list: { type: "array", items: { type: "integer" } },
          map: { type: "object", additionalProperties: { type: "string" } },
          ratio: { type: "number" },
        }),
      ),
      post(widgets, widget("a", { spec: { size: "1" } })),
      post(widgets, widget("a", { spec: { color: 1 } })),
      post(widgets, widget("a", { spec: { ok: "true" } })),
      post(widgets, widget("a", { spec: { list: ["a"] } })),
      post(widgets, widget("a", { spec: { list: {} } })),
      post(widgets, widget("a", { spec: { map: { a: 1 } } })),
      post(widgets, widget("a", { spec: "text" })),
      post(widgets, widget("a", { spec: { size: 1.5 } })),
      post(widgets, widget("a", { spec: { ratio: "1" } })),
    ),
    scenario(
      "required fields are asked for",
      ...define(specSchema(size, { required: ["size", "color"] })),
      post(widgets, widget("a", { spec: {} })),
      post(widgets, widget("a", { spec: { size: 1 } })),
      post(widgets, widget("a", {})),
    ),
    scenario(
      "bounds of numbers are kept",
      ...define(
        specSchema({
          n: { type: "integer", minimum: 2, maximum: 5 },
          e: { type: "integer", minimum: 2, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
          m: { type: "integer", multipleOf: 3 },
        }),
      ),
      post(widgets, widget("a", { spec: { n: 1 } })),
      post(widgets, widget("a", { spec: { n: 6 } })),
      post(widgets, widget("a", { spec: { e: 2 } })),
      post(widgets, widget("a", { spec: { e: 5 } })),
      post(widgets, widget("a", { spec: { m: 4 } })),
    ),
    scenario(
      "bounds of texts are kept",
      ...define(
        specSchema({
          t: { type: "string", minLength: 2, maxLength: 4 },
          p: { type: "string", pattern: "^[a-z]+$" },
          e: { type: "string", enum: ["red", "blue"] },
        }),
      ),
      post(widgets, widget("a", { spec: { t: "x" } })),
      post(widgets, widget("a", { spec: { t: "xxxxx" } })),
      post(widgets, widget("a", { spec: { p: "X1" } })),
      post(widgets, widget("a", { spec: { e: "green" } })),
      post(widgets, widget("a", { spec: { t: "éééé" } })),
    ),
    scenario(
      "bounds of lists and maps are kept",
      ...define(
        specSchema({
          l: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 },
          m: { type: "object", additionalProperties: { type: "string" }, minProperties: 1, maxProperties: 2 },
        }),
      ),
      post(widgets, widget("a", { spec: { l: [] } })),
      post(widgets, widget("a", { spec: { l: ["a", "b", "c"] } })),
      post(widgets, widget("a", { spec: { m: {} } })),
      post(widgets, widget("a", { spec: { m: { a: "1", b: "1", c: "1" } } })),
    ),
    scenario(
      "formats are kept",
      ...define(
        specSchema({
          d: { type: "string", format: "date-time" },
          i: { type: "string", format: "ipv4" },
          u: { type: "string", format: "uuid" },
          b: { type: "string", format: "byte" },
          e: { type: "string", format: "email" },
          dur: { type: "string", format: "duration" },
          i32: { type: "integer", format: "int32" },
          c: { type: "string", format: "cidr" },
          dt: { type: "string", format: "date" },
          un: { type: "string", format: "made-up" },
        }),
      ),
      post(widgets, widget("a", { spec: { d: "yesterday" } })),
      post(widgets, widget("a", { spec: { i: "1.2.3" } })),
      post(widgets, widget("a", { spec: { u: "x" } })),
      post(widgets, widget("a", { spec: { b: "?" } })),
      post(widgets, widget("a", { spec: { e: "x" } })),
      post(widgets, widget("a", { spec: { dur: "x" } })),
      post(widgets, widget("a", { spec: { i32: 2_147_483_648 } })),
      post(widgets, widget("a", { spec: { c: "x" } })),
      post(widgets, widget("a", { spec: { dt: "x" } })),
      post(widgets, widget("a", { spec: { un: "x" } })),
    ),
    scenario(
      "sets and keyed lists hold each element once",
      ...define(
        specSchema({
          set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
          map: {
            type: "array",
            items: { type: "object", required: ["k"], properties: { k: { type: "string" }, v: { type: "string" } } },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
          },
        }),
      ),
      post(widgets, widget("a", { spec: { set: ["a", "b", "a"] } })),
      post(widgets, widget("a", { spec: { map: [{ k: "a" }, { k: "b" }, { k: "a", v: "1" }] } })),
    ),
    scenario(
      "int-or-string takes both and nothing else",
      ...define(specSchema({ p: { "x-kubernetes-int-or-string": true } })),
      post(widgets, widget("a", { spec: { p: 80 } })),
      post(widgets, widget("b", { spec: { p: "http" } })),
      post(widgets, widget("c", { spec: { p: true } })),
    ),
    scenario(
      "oneOf, anyOf, allOf and not are kept",
      ...define(
        specSchema(
          { a: { type: "string" }, b: { type: "string" } },
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
    scenario(
      "an embedded resource is checked as one",
      ...define(
        specSchema({
          template: {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
          },
        }),
      ),
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
    scenario(
      "the name can be bound by the schema",
      ...define({
        type: "object",
        properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 3 } } } },
      }),
      post(widgets, widget("abcd")),
      post(widgets, widget("abc")),
    ),
    scenario(
      "several errors are told together",
      ...define(specSchema({ ...size, p: { type: "string", pattern: "^a" } }, { required: ["size"] })),
      post(widgets, widget("a", { spec: { p: "b", color: "c" } })),
    ),
    scenario(
      "a changed schema does not fail what did not change",
      ...define(specSchema({ color: { type: "string" }, size: { type: "integer" } })),
      post(widgets, widget("a", { spec: { color: "green" } })),
      {
        ...mergePatch(definition, {
          spec: {
            versions: [
              version("v1", specSchema({ color: { type: "string", enum: ["red"] }, size: { type: "integer" } })),
            ],
          },
        }),
        silent: true,
      },
      { ...post(`${widgets}?dryRun=All`, widget("probe", { spec: { color: "green" } })), until: { status: 422 } },
      mergePatch(`${widgets}/a`, { spec: { size: 1 } }),
      mergePatch(`${widgets}/a`, { spec: { color: "blue" } }),
    ),
    scenario(
      "an object is served in every version",
      ...twoVersions,
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
    ),
    scenario(
      "a version that is not served is not found",
      {
        ...post(
          definitions,
          widgetDefinition([plain, version("v2", specSchema(size), { served: false, storage: false })]),
        ),
        silent: true,
      },
      waitFor("/apis/{group}/v1/widgets"),
      get("/apis/{group}/v2/namespaces/{ns}/widgets"),
    ),
    scenario(
      "a cluster-scoped custom resource has no namespace",
      { ...post(definitions, widgetDefinition([plain], { scope: "Cluster" })), silent: true },
      waitFor("/apis/{group}/v1/widgets"),
      post("/apis/{group}/v1/widgets", widget("a")),
      get("/apis/{group}/v1/widgets/a"),
      post("/apis/{group}/v1/namespaces/{ns}/widgets", widget("b")),
      post("/apis/{group}/v1/widgets", widget("c", {}, { namespace: "{ns}" })),
    ),
    scenario(
      "keys that JavaScript knows are data",
      ...define(specSchema({ free: { type: "object", additionalProperties: { type: "string" } } })),
      {
        ...post(widgets, widget("a")),
        text: '{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"a","labels":{"constructor":"x"}},"spec":{"free":{"__proto__":"1","constructor":"2","toString":"3"}}}',
      },
      get(`${widgets}/a`),
    ),
    scenario(
      "large numbers keep their digits as far as the server keeps them",
      ...define(specSchema({ i: { type: "integer" }, n: { type: "number" } })),
      post(widgets, { ...widget("a"), spec: { i: 9_007_199_254_740_991, n: 1e21 } }),
      {
        ...post(widgets, {}),
        text: '{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"b"},"spec":{"i":1.0,"n":1.50}}',
      },
    ),
  ],
};
