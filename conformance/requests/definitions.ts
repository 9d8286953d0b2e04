import type { JsonObject } from "@kubewright/core/json";
import { type Case, get, mergePatch, post, put, remove, type Subject, testCase } from "../test-case.js";
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
  return testCase(name, post(definitions, widgetDefinition([version("v1", schema)])));
}

/** Properties of a spec that are refused. */
const refusedProperty = (name: string, property: JsonObject): Case => refusedSchema(name, specSchema({ p: property }));

/** How definitions are taken, checked and changed. */
export const definitionCases: Subject = {
  name: "definitions",
  cases: [
    testCase(
      "a definition gets defaults, names and conditions",
      post(definitions, widgetDefinition([plain])),
      get(definition, { until: { includes: "InitialNamesAccepted" } }),
    ),
    testCase(
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
    testCase(
      "a definition named otherwise than plural.group is refused",
      post(definitions, { ...widgetDefinition([plain]), metadata: { name: "other.{group}" } }),
    ),
    testCase("a definition without versions is refused", post(definitions, widgetDefinition([]))),
    testCase(
      "a definition without storage version, or with two, is refused",
      post(definitions, widgetDefinition([version("v1", specSchema(size), { storage: false })])),
      post(definitions, widgetDefinition([plain, version("v2", specSchema(size))])),
    ),
    testCase(
      "a definition with the same version twice is refused",
      post(definitions, widgetDefinition([plain, version("v1", specSchema(size), { storage: false })])),
    ),
    testCase(
      "a definition with a version of a bad name is refused",
      post(definitions, widgetDefinition([version("V_1", specSchema(size))])),
    ),
    testCase(
      "a definition without a schema is refused",
      post(definitions, widgetDefinition([{ name: "v1", served: true, storage: true }])),
    ),
    testCase(
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
    testCase(
      "a definition with preserveUnknownFields is refused",
      post(definitions, widgetDefinition([plain], { preserveUnknownFields: true })),
    ),
    testCase(
      "a definition of a protected group needs approval",
      post(definitions, {
        ...widgetDefinition([plain], { group: "x.k8s.io" }),
        metadata: { name: "widgets.x.k8s.io" },
      }),
    ),
    testCase(
      "a conversion that makes no sense is refused",
      post(definitions, widgetDefinition([plain], { conversion: { strategy: "Nonsense" } })),
      post(definitions, widgetDefinition([plain], { conversion: { strategy: "Webhook" } })),
      post(
        definitions,
        widgetDefinition([plain], { conversion: { strategy: "None", webhook: { conversionReviewVersions: ["v1"] } } }),
      ),
    ),
    testCase(
      "group, scope and kind cannot change once they are established",
      ...define(specSchema(size)),
      mergePatch(definition, { spec: { scope: "Cluster" } }),
      mergePatch(definition, { spec: { names: { kind: "Gadget" } } }),
      mergePatch(definition, { spec: { group: "other.example.com" } }),
      mergePatch(definition, { spec: { names: { plural: "gadgets" } } }),
    ),
    testCase(
      "a version that holds objects cannot be removed",
      ...define(specSchema(size)),
      mergePatch(definition, { spec: { versions: [version("v2", specSchema(size))] } }),
    ),
    testCase(
      "a new storage version is added to the stored ones",
      ...define(specSchema(size)),
      mergePatch(definition, {
        spec: { versions: [version("v1", specSchema(size), { storage: false }), version("v2", specSchema(size))] },
      }),
      get(definition),
    ),
    testCase(
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
    testCase(
      "names that are taken in the group are not accepted",
      ...define(specSchema(size)),
      post(definitions, {
        ...widgetDefinition([plain], { names: { kind: "Widget", plural: "gadgets" } }),
        metadata: { name: "gadgets.{group}" },
      }),
      get(`${definitions}/gadgets.{group}`, { until: { includes: "NamesAccepted" } }),
    ),
    testCase(
      "a definition needs a version for an update",
      ...define(specSchema(size)),
      put(definition, widgetDefinition([plain])),
    ),
    testCase(
      "a definition's generation grows with its spec",
      ...define(specSchema(size)),
      mergePatch(
        definition,
        { spec: { versions: [version("v1", specSchema({ ...size, more: { type: "string" } }))] } },
        { fields: ["metadata", "spec"] },
      ),
      mergePatch(definition, { metadata: { labels: { a: "b" } } }, { fields: ["metadata", "spec"] }),
    ),
    testCase(
      "a definition that is deleted takes its objects along",
      ...define(specSchema(size)),
      post(widgets, widget("a")),
      remove(definition, undefined, { fields: ["kind", "code", "status"] }),
      get(definition, { until: { status: 404 } }),
      get(widgets, { until: { status: 404 } }),
    ),
    testCase(
      "a deprecated version warns",
      ...define(specSchema(size), { deprecated: true }),
      get(widgets),
      post(widgets, widget("a")),
    ),
    testCase(
      "a deprecated version warns in its own words",
      ...define(specSchema(size), { deprecated: true, deprecationWarning: "use something else" }),
      get(widgets),
    ),
    testCase(
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
    testCase(
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
    testCase(
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
    testCase(
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
    testCase(
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
