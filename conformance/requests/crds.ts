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

/** Creation, validation and updates of CRDs. */
export const crdCases = subject("crds", {
  "a CRD gets defaults, names and conditions": [
    post(definitions, widgetDefinition([plain])),
    get(definition, { until: { includes: "InitialNamesAccepted" } }),
  ],
  "a CRD of a cluster-scoped kind with all names is accepted": [
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
  "a CRD whose name is not plural.group is rejected": [
    post(definitions, { ...widgetDefinition([plain]), metadata: { name: "other.{group}" } }),
    post(definitions, { ...widgetDefinition([plain]), metadata: {} }),
  ],
  "a CRD without versions is rejected": [post(definitions, widgetDefinition([]))],
  "a CRD without storage version, or with two, is rejected": [
    post(definitions, widgetDefinition([widgetVersion("v1", { storage: false })])),
    post(definitions, widgetDefinition([plain, widgetVersion("v2")])),
  ],
  "a CRD with the same version twice is rejected": [
    post(definitions, widgetDefinition([plain, widgetVersion("v1", { storage: false })])),
  ],
  "a CRD with an invalid version name is rejected": [post(definitions, widgetDefinition([widgetVersion("V_1")]))],
  "a CRD without a schema is rejected": [
    post(definitions, widgetDefinition([{ name: "v1", served: true, storage: true }])),
  ],
  "a CRD without names or scope is rejected": [
    withSpec({ names: { kind: "", plural: "" } }),
    withSpec({ scope: "Nonsense" }),
    withSpec({ names: { kind: "Widget", plural: "widgets", listKind: "Widget" } }),
    withSpec({ names: { kind: "Wid get", plural: "widgets", shortNames: ["A B"] } }),
  ],
  "a CRD with preserveUnknownFields is rejected": [withSpec({ preserveUnknownFields: true })],
  "a CRD of a protected group needs the api-approved annotation": [
    post(definitions, { ...widgetDefinition([plain], { group: "x.k8s.io" }), metadata: { name: "widgets.x.k8s.io" } }),
  ],
  "an invalid conversion is rejected": [
    withSpec({ conversion: { strategy: "Nonsense" } }),
    withSpec({ conversion: { strategy: "Webhook" } }),
    withSpec({ conversion: { strategy: "None", webhook: { conversionReviewVersions: ["v1"] } } }),
  ],
  "group, scope and kind are immutable once established": [
    defineWidget(),
    mergePatch(definition, { spec: { scope: "Cluster" } }),
    mergePatch(definition, { spec: { names: { kind: "Gadget" } } }),
    mergePatch(definition, { spec: { group: "other.example.com" } }),
    mergePatch(definition, { spec: { names: { plural: "gadgets" } } }),
  ],
  "a version in storedVersions cannot be removed": [defineWidget(), changeVersions([widgetVersion("v2")])],
  "a new storage version is added to storedVersions": [
    defineWidget(),
    changeVersions([widgetVersion("v1", { storage: false }), widgetVersion("v2")]),
    get(definition),
  ],
  "old versions can be removed from status.storedVersions, the storage version cannot": [
    defineWidget(),
    changeVersions([widgetVersion("v1", { storage: false }), widgetVersion("v2")], { fields: ["kind"] }),
    mergePatch(`${definition}/status`, { status: { storedVersions: ["v2"] } }, { fields: ["code", "message", "kind"] }),
    mergePatch(`${definition}/status`, { status: { storedVersions: ["v1"] } }, { fields: ["code", "message", "kind"] }),
    get(definition, { fields: ["metadata", "status"] }),
  ],
  "names that another CRD of the group uses are not accepted": [
    defineWidget(),
    post(definitions, {
      ...widgetDefinition([plain], { names: { kind: "Widget", plural: "gadgets" } }),
      metadata: { name: "gadgets.{group}" },
    }),
    get(`${definitions}/gadgets.{group}`, { until: { includes: "NamesAccepted" } }),
  ],
  "an update of a CRD needs a resourceVersion": [defineWidget(), put(definition, widgetDefinition([plain]))],
  "a spec change raises a CRD's generation": [
    defineWidget(),
    changeSpec({ ...size, more: { type: "string" } }, { fields: ["metadata", "spec"] }),
    mergePatch(definition, { metadata: { labels: { a: "b" } } }, { fields: ["metadata", "spec"] }),
  ],
  "a deleted CRD deletes its objects": [
    defineWidget(),
    post(widgets, widget("a")),
    remove(definition, undefined, { fields: ["kind", "code", "status"] }),
    get(definition, { until: { status: 404 } }),
    get(widgets, { until: { status: 404 } }),
  ],
  "a deprecated version warns": [defineWidget({ deprecated: true }), get(widgets), post(widgets, widget("a"))],
  "a deprecated version returns its deprecationWarning": [
    defineWidget({ deprecated: true, deprecationWarning: "use something else" }),
    get(widgets),
  ],
  "a deprecationWarning needs deprecated": [
    post(definitions, widgetDefinition([widgetVersion("v1", { deprecationWarning: "x" })])),
  ],
  "a schema without a type at its root is rejected": withSchema({ properties: { spec: { type: "object" } } }),
  "a schema whose root is not an object is rejected": withSchema({ type: "string" }),
  "a property without a type is rejected": withProperty({ description: "nothing" }),
  "a property of an unknown type is rejected": withProperty({ type: "nonsense" }),
  "a list without items is rejected": withProperty({ type: "array" }),
  "properties together with additionalProperties are rejected": withProperty({
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: { type: "string" },
  }),
  "a type inside anyOf is rejected": withProperty({ type: "string", anyOf: [{ type: "string" }] }),
  "a default inside allOf is rejected": withProperty({ type: "string", allOf: [{ default: "x" }] }),
  "uniqueItems is rejected": withProperty({ type: "array", items: { type: "string" }, uniqueItems: true }),
  "$ref is rejected": withProperty({ $ref: "#/definitions/x" }),
  "a default that violates its schema is rejected": withProperty({ type: "integer", default: "text" }),
  "a default that would be pruned is rejected": withProperty({
    type: "object",
    properties: { a: { type: "string" } },
    default: { b: "1" },
  }),
  "an invalid pattern is rejected": withProperty({ type: "string", pattern: "(" }),
  "a list of type map without keys is rejected": withProperty({
    type: "array",
    items: { type: "object", properties: { a: { type: "string" } } },
    "x-kubernetes-list-type": "map",
  }),
  "a list of type map whose key is optional and has no default is rejected": withProperty({
    type: "array",
    items: { type: "object", properties: { a: { type: "string" } } },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["a"],
  }),
  "a set of non-atomic objects is rejected": withProperty({
    type: "array",
    items: { type: "object", properties: { a: { type: "string" } } },
    "x-kubernetes-list-type": "set",
  }),
  "x-kubernetes-list-type on a map is rejected": withProperty({ type: "object", "x-kubernetes-list-type": "map" }),
  "an int-or-string with another type is rejected": withProperty({
    type: "string",
    "x-kubernetes-int-or-string": true,
  }),
  "an embedded resource without a type or its fields is rejected": withProperty({
    "x-kubernetes-embedded-resource": true,
  }),
  "preserve-unknown-fields set to false is rejected": withProperty({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": false,
  }),
  "metadata with more than name and generateName is rejected": withSchema({
    type: "object",
    properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
  }),
  "invalid printer columns are rejected": withVersion({
    additionalPrinterColumns: [
      { name: "", type: "nonsense", jsonPath: "spec" },
      { name: "X", type: "string", jsonPath: "" },
    ],
  }),
  "invalid selectable fields are rejected": withVersion(
    {
      selectableFields: [".spec.none", ".spec.list", ".spec.color", ".spec.color", "spec.size"].map((jsonPath) => ({
        jsonPath,
      })),
    },
    { ...size, list: { type: "array", items: { type: "string" } } },
  ),
  "an invalid scale subresource is rejected": withVersion({
    subresources: { scale: { specReplicasPath: "replicas", statusReplicasPath: ".spec.x" } },
  }),
  "CEL rules are compiled when the CRD is created": withVersion(
    {},
    { size: { type: "integer", "x-kubernetes-validations": [{ rule: "self >" }] } },
  ),
});
