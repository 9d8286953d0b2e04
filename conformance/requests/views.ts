import { get, post, send, subject } from "../test-case.js";
import { defineSpec, defineWidget } from "./custom-kind.js";
import {
  configMap,
  configMaps,
  definitions,
  deployment,
  deployments,
  leases,
  secrets,
  size,
  widget,
  widgets,
} from "./sample-objects.js";
import { boolean, listOf, mapOf, number, string } from "./schema-builders.js";

const table = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };
const partial = { headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" } };
const partialList = { headers: { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" } };
const made = post(configMaps, configMap("a", { k: "1", l: "2" }));

/** Tables, metadata alone, and other forms of answers. */
export const views = subject("views", {
  "a ConfigMap and a list of them are shown as tables": [made, get(`${configMaps}/a`, table), get(configMaps, table)],
  "a table carries what includeObject asks for": [
    made,
    get(`${configMaps}?includeObject=None`, table),
    get(`${configMaps}?includeObject=Object`, table),
    get(`${configMaps}?includeObject=Nonsense`, table),
  ],
  "an empty table has columns": [get(configMaps, table)],
  "Deployments are shown as tables": [post(deployments, deployment("d")), get(deployments, table)],
  "Secrets are shown as tables": [
    post(secrets, { metadata: { name: "s" }, stringData: { a: "1" } }),
    get(secrets, table),
  ],
  "Leases are shown as tables": [
    post(leases, { metadata: { name: "l" }, spec: { holderIdentity: "me" } }),
    post(leases, { metadata: { name: "m" } }),
    get(leases, table),
  ],
  "Namespaces are shown as tables": [get("/api/v1/namespaces/{ns}", table)],
  "Events are shown as tables": [
    post("/api/v1/namespaces/{ns}/events", {
      metadata: { name: "e" },
      involvedObject: { kind: "ConfigMap", name: "a", namespace: "{ns}" },
      reason: "Because",
      message: "It was so",
      type: "Normal",
    }),
    get("/api/v1/namespaces/{ns}/events", table),
    get("/apis/events.k8s.io/v1/namespaces/{ns}/events", table),
  ],
  "definitions are shown as tables": [defineWidget(), get(`${definitions}/widgets.{group}`, table)],
  "custom resources without columns show name and age": [
    defineWidget(),
    post(widgets, widget("a")),
    get(widgets, table),
  ],
  "custom resources show their columns, by type": [
    defineSpec(
      { ...size, when: string, ok: boolean, ratio: number, list: listOf(string), map: mapOf(string) },
      {
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size", description: "How big" },
          { name: "Color", type: "string", jsonPath: ".spec.color", priority: 1 },
          { name: "When", type: "date", jsonPath: ".spec.when" },
          { name: "OK", type: "boolean", jsonPath: ".spec.ok" },
          { name: "Ratio", type: "number", jsonPath: ".spec.ratio", format: "double" },
          { name: "List", type: "string", jsonPath: ".spec.list" },
          { name: "First", type: "string", jsonPath: ".spec.list[0]" },
          { name: "Map", type: "string", jsonPath: ".spec.map" },
          { name: "SizeText", type: "string", jsonPath: ".spec.size" },
          { name: "ColorNumber", type: "integer", jsonPath: ".spec.color" },
        ],
      },
    ),
    post(
      widgets,
      widget("full", {
        spec: {
          size: 3,
          color: "red",
          when: "2001-01-01T00:00:00Z",
          ok: true,
          ratio: 0.5,
          list: ["a", "b"],
          map: { a: "1" },
        },
      }),
    ),
    post(widgets, widget("empty")),
    post(widgets, widget("odd", { spec: { when: "not a date" } })),
    get(`${widgets}/empty`, table),
    get(`${widgets}/odd`, table),
    get(`${widgets}/full?includeObject=None`, { ...table, only: [] }),
  ],
  "an object and a list are shown as metadata alone": [
    made,
    get(`${configMaps}/a`, partial),
    get(configMaps, partialList),
  ],
  "metadata of a list and a list of one object are not acceptable": [
    made,
    get(configMaps, partial),
    get(`${configMaps}/a`, partialList),
  ],
  "refused forms name the type that an object has inside of the server": [
    defineWidget(),
    post(widgets, widget("a", { spec: { size: 1 } })),
    get(widgets, partial),
    get(`${widgets}/a`, partialList),
    get("/apis/apps/v1/namespaces/{ns}/deployments", partial),
    get("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", partial),
    get("/apis/events.k8s.io/v1/namespaces/{ns}/events", partial),
    get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{group}", partialList),
    get("/apis/apiregistration.k8s.io/v1/apiservices/v1.apps", partialList),
    post(`${configMaps}?includeObject=Odd`, { metadata: { name: "t" } }, table),
    get(`${configMaps}/t?includeObject=Odd`),
    get(`${configMaps}?includeObject=Odd&watch=true`, table),
  ],
  "custom resources are shown as metadata alone": [
    defineWidget(),
    post(widgets, widget("a", { spec: { size: 1 } })),
    get(`${widgets}/a`, partial),
    get(widgets, partialList),
  ],
  "a form that nobody knows is not acceptable": [
    made,
    get(`${configMaps}/a`, { headers: { accept: "application/json;as=Nonsense;v=v1;g=meta.k8s.io" } }),
    get(`${configMaps}/a`, { headers: { accept: "application/json;as=Table;v=v9;g=meta.k8s.io" } }),
    get(`${configMaps}/a`, { headers: { accept: "text/html" } }),
    get(`${configMaps}/a`, {
      headers: { accept: "application/json;as=Nonsense;v=v1;g=meta.k8s.io, application/json" },
    }),
  ],
  "an answer is written in YAML where that is asked for": [
    made,
    get(`${configMaps}/a`, { headers: { accept: "application/yaml" } }),
    get(`${configMaps}/none`, { headers: { accept: "application/yaml" } }),
    get(configMaps, { headers: { accept: "application/yaml" } }),
  ],
  "any form is JSON": [
    made,
    get(`${configMaps}/a`, { headers: { accept: "*/*" } }),
    get(`${configMaps}/a`, { headers: { accept: "application/*" } }),
    get(`${configMaps}/a`, { headers: { accept: "" } }),
  ],
  "HEAD is not allowed": [made, send("HEAD", `${configMaps}/a`), send("HEAD", `${configMaps}/none`)],
  "a create answers in the form that is asked for": [
    post(configMaps, configMap("a"), partial),
    post(configMaps, configMap("b"), table),
  ],
  "pretty answers are indented": [made, get(`${configMaps}/a?pretty=true`)],
});
