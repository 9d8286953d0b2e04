import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, remove, type Step, subject } from "../test-case.js";
import { changeSpec, changeVersions, defineWidget, widgetVersion } from "./custom-kind.js";
import {
  definition,
  definitions,
  size,
  specSchema,
  version,
  widget,
  widgetDefinition,
  widgets,
} from "./sample-objects.js";

const plain = widgetVersion("v1");

/** A CRD with this schema. */
const withSchema = (schema: JsonObject): Step[] => [post(definitions, widgetDefinition([version("v1", schema)]))];

/** A CRD whose spec has this property. */
const withProperty = (p: JsonObject): Step[] => withSchema(specSchema({ p }));

/** A CRD with a version that has more than a schema. */
const withVersion = (rest: JsonObject, properties = size): Step[] => [
  post(definitions, widgetDefinition([version("v1", specSchema(properties), rest)])),
];

/** A CRD with this spec. */
const withSpec = (spec: JsonObject) => post(definitions, widgetDefinition([plain], spec));

/** How definitions are taken, checked and changed. */
export const definitionCases = subject("definitions", {
  "a definition gets defaults, names and conditions": [
    post(definitions, widgetDefinition([plain])),
    get(definition, { until: { includes: "InitialNamesAccepted" } }),
  ],
  "a definition of a cluster-scoped kind with all names is taken": [
    withSpec({
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
  ],
  "a definition named otherwise than plural.group is refused": [
    post(definitions, { ...widgetDefinition([plain]), metadata: { name: "other.{group}" } }),
  ],
  "a definition without versions is refused": [post(definitions, widgetDefinition([]))],
  "a definition without storage version, or with two, is refused": [
    post(definitions, widgetDefinition([widgetVersion("v1", { storage: false })])),
    post(definitions, widgetDefinition([plain, widgetVersion("v2")])),
  ],
  "a definition with the same version twice is refused": [
    post(definitions, widgetDefinition([plain, widgetVersion("v1", { storage: false })])),
  ],
  "a definition with a version of a bad name is refused": [post(definitions, widgetDefinition([widgetVersion("V_1")]))],
  "a definition without a schema is refused": [
    post(definitions, widgetDefinition([{ name: "v1", served: true, storage: true }])),
  ],
  "a definition without names or scope is refused": [
    withSpec({ names: { kind: "", plural: "" } }),
    withSpec({ scope: "Nonsense" }),
    withSpec({ names: { kind: "Widget", plural: "widgets", listKind: "Widget" } }),
    withSpec({ names: { kind: "Wid get", plural: "widgets", shortNames: ["A B"] } }),
  ],
  "a definition with preserveUnknownFields is refused": [withSpec({ preserveUnknownFields: true })],
  "a definition of a protected group needs approval": [
    post(definitions, { ...widgetDefinition([plain], { group: "x.k8s.io" }), metadata: { name: "widgets.x.k8s.io" } }),
  ],
  "a conversion that makes no sense is refused": [
    withSpec({ conversion: { strategy: "Nonsense" } }),
    withSpec({ conversion: { strategy: "Webhook" } }),
    withSpec({ conversion: { strategy: "None", webhook: { conversionReviewVersions: ["v1"] } } }),
  ],
  "group, scope and kind cannot change once they are established": [
    defineWidget(),
    mergePatch(definition, { spec: { scope: "Cluster" } }),
    mergePatch(definition, { spec: { names: { kind: "Gadget" } } }),
    mergePatch(definition, { spec: { group: "other.example.com" } }),
    mergePatch(definition, { spec: { names: { plural: "gadgets" } } }),
  ],
  "a version that holds objects cannot be removed": [defineWidget(), changeVersions([widgetVersion("v2")])],
  "a new storage version is added to the stored ones": [
    defineWidget(),
    changeVersions([widgetVersion("v1", { storage: false }), widgetVersion("v2")]),
    get(definition),
  ],
  "storedVersions of the status can be cleaned, but not of the storage version": [
    defineWidget(),
    changeVersions([widgetVersion("v1", { storage: false }), widgetVersion("v2")], { fields: ["kind"] }),
    mergePatch(`${definition}/status`, { status: { storedVersions: ["v2"] } }, { fields: ["code", "message", "kind"] }),
    mergePatch(`${definition}/status`, { status: { storedVersions: ["v1"] } }, { fields: ["code", "message", "kind"] }),
    get(definition, { fields: ["metadata", "status"] }),
  ],
  "names that are taken in the group are not accepted": [
    defineWidget(),
    post(definitions, {
      ...widgetDefinition([plain], { names: { kind: "Widget", plural: "gadgets" } }),
      metadata: { name: "gadgets.{group}" },
    }),
    get(`${definitions}/gadgets.{group}`, { until: { includes: "NamesAccepted" } }),
  ],
  "a definition needs a version for an update": [defineWidget(), put(definition, widgetDefinition([plain]))],
  "a definition's generation grows with its spec": [
    defineWidget(),
    changeSpec({ ...size, more: { type: "string" } }, { fields: ["metadata", "spec"] }),
    mergePatch(definition, { metadata: { labels: { a: "b" } } }, { fields: ["metadata", "spec"] }),
  ],
  "a definition that is deleted takes its objects along": [
    defineWidget(),
    post(widgets, widget("a")),
    remove(definition, undefined, { fields: ["kind", "code", "status"] }),
    get(definition, { until: { status: 404 } }),
    get(widgets, { until: { status: 404 } }),
  ],
  "a deprecated version warns": [defineWidget({ deprecated: true }), get(widgets), post(widgets, widget("a"))],
  "a deprecated version warns in its own words": [
    defineWidget({ deprecated: true, deprecationWarning: "use something else" }),
    get(widgets),
  ],
  "a deprecation warning needs deprecated": [
    post(definitions, widgetDefinition([widgetVersion("v1", { deprecationWarning: "x" })])),
  ],
  "a schema without a type at its root is refused": withSchema({ properties: { spec: { type: "object" } } }),
  "a schema that is no object at its root is refused": withSchema({ type: "string" }),
  "a property without a type is refused": withProperty({ description: "nothing" }),
  "a property of an unknown type is refused": withProperty({ type: "nonsense" }),
  "a list without items is refused": withProperty({ type: "array" }),
  "properties beside additionalProperties are refused": withProperty({
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: { type: "string" },
  }),
  "a type inside of anyOf is refused": withProperty({ type: "string", anyOf: [{ type: "string" }] }),
  "a default inside of allOf is refused": withProperty({ type: "string", allOf: [{ default: "x" }] }),
  "uniqueItems is refused": withProperty({ type: "array", items: { type: "string" }, uniqueItems: true }),
  "a reference is refused": withProperty({ $ref: "#/definitions/x" }),
  "a default against its own schema is refused": withProperty({ type: "integer", default: "text" }),
  "a default that would be pruned is refused": withProperty({
    type: "object",
    properties: { a: { type: "string" } },
    default: { b: "1" },
  }),
  "a pattern that is none is refused": withProperty({ type: "string", pattern: "(" }),
  "a map list without keys is refused": withProperty({
    type: "array",
    items: { type: "object", properties: { a: { type: "string" } } },
    "x-kubernetes-list-type": "map",
  }),
  "a map list whose key is optional and has no default is refused": withProperty({
    type: "array",
    items: { type: "object", properties: { a: { type: "string" } } },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["a"],
  }),
  "a set of objects that are not atomic is refused": withProperty({
    type: "array",
    items: { type: "object", properties: { a: { type: "string" } } },
    "x-kubernetes-list-type": "set",
  }),
  "a list type of a map is refused": withProperty({ type: "object", "x-kubernetes-list-type": "map" }),
  "an int-or-string with another type is refused": withProperty({ type: "string", "x-kubernetes-int-or-string": true }),
  "an embedded resource without a type or its fields is refused": withProperty({
    "x-kubernetes-embedded-resource": true,
  }),
  "preserve-unknown-fields set to false is refused": withProperty({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": false,
  }),
  "metadata with more than name and generateName is refused": withSchema({
    type: "object",
    properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
  }),
  "printer columns that make no sense are refused": withVersion({
    additionalPrinterColumns: [
      { name: "", type: "nonsense", jsonPath: "spec" },
      { name: "X", type: "string", jsonPath: "" },
    ],
  }),
  "selectable fields that make no sense are refused": withVersion(
    {
      selectableFields: [".spec.none", ".spec.list", ".spec.color", ".spec.color", "spec.size"].map((jsonPath) => ({
        jsonPath,
      })),
    },
    { ...size, list: { type: "array", items: { type: "string" } } },
  ),
  "a scale that makes no sense is refused": withVersion({
    subresources: { scale: { specReplicasPath: "replicas", statusReplicasPath: ".spec.x" } },
  }),
  "rules in CEL are checked when they are defined": withVersion(
    {},
    { size: { type: "integer", "x-kubernetes-validations": [{ rule: "self >" }] } },
  ),
});
