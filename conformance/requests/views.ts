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

/** Tables, PartialObjectMetadata, and other representations. */
export const views = subject("views", {
  "a ConfigMap and a ConfigMapList are returned as Tables": [
    made,
    get(`${configMaps}/a`, table),
    get(configMaps, table),
  ],
  "includeObject selects the object of a row": [
    made,
    get(`${configMaps}?includeObject=None`, table),
    get(`${configMaps}?includeObject=Object`, table),
    get(`${configMaps}?includeObject=Nonsense`, table),
  ],
  "an empty Table has columns": [get(configMaps, table)],
  "Deployments are returned as Tables": [post(deployments, deployment("d")), get(deployments, table)],
  "Secrets are returned as Tables": [
    post(secrets, { metadata: { name: "s" }, stringData: { a: "1" } }),
    get(secrets, table),
  ],
  "Leases are returned as Tables": [
    post(leases, { metadata: { name: "l" }, spec: { holderIdentity: "me" } }),
    post(leases, { metadata: { name: "m" } }),
    get(leases, table),
  ],
  "Namespaces are returned as Tables": [get("/api/v1/namespaces/{ns}", table)],
  "Events are returned as Tables": [
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
  "CRDs are returned as Tables": [defineWidget(), get(`${definitions}/widgets.{group}`, table)],
  "a Table of custom resources without columns has name and age": [
    defineWidget(),
    post(widgets, widget("a")),
    get(widgets, table),
  ],
  "a Table of custom resources has their printer columns, by type": [
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
  "an object and a list are returned as PartialObjectMetadata": [
    made,
    get(`${configMaps}/a`, partial),
    get(configMaps, partialList),
  ],
  "PartialObjectMetadata of a list and PartialObjectMetadataList of an object are not acceptable": [
    made,
    get(configMaps, partial),
    get(`${configMaps}/a`, partialList),
  ],
  "a 406 names the internal type of the object": [
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
  "custom resources are returned as PartialObjectMetadata": [
    defineWidget(),
    post(widgets, widget("a", { spec: { size: 1 } })),
    get(`${widgets}/a`, partial),
    get(widgets, partialList),
  ],
  "an unknown media type is not acceptable": [
    made,
    get(`${configMaps}/a`, { headers: { accept: "application/json;as=Nonsense;v=v1;g=meta.k8s.io" } }),
    get(`${configMaps}/a`, { headers: { accept: "application/json;as=Table;v=v9;g=meta.k8s.io" } }),
    get(`${configMaps}/a`, { headers: { accept: "text/html" } }),
    get(`${configMaps}/a`, {
      headers: { accept: "application/json;as=Nonsense;v=v1;g=meta.k8s.io, application/json" },
    }),
  ],
  "a response is YAML if the client accepts it": [
    made,
    get(`${configMaps}/a`, { headers: { accept: "application/yaml" } }),
    get(`${configMaps}/none`, { headers: { accept: "application/yaml" } }),
    get(configMaps, { headers: { accept: "application/yaml" } }),
  ],
  "a client that accepts any media type gets JSON": [
    made,
    get(`${configMaps}/a`, { headers: { accept: "*/*" } }),
    get(`${configMaps}/a`, { headers: { accept: "application/*" } }),
    get(`${configMaps}/a`, { headers: { accept: "" } }),
  ],
  "HEAD is not allowed": [made, send("HEAD", `${configMaps}/a`), send("HEAD", `${configMaps}/none`)],
  "a create returns the requested representation": [
    post(configMaps, configMap("a"), partial),
    post(configMaps, configMap("b"), table),
  ],
  "pretty responses are indented": [made, get(`${configMaps}/a?pretty=true`)],
});
