import { get, post, type RequestStep, subject, waitFor } from "../test-case.js";
import { defineWidget, widgetVersion } from "./custom-kind.js";
import { definitions, widgetDefinition } from "./sample-objects.js";

const groups = ["apps", "events.k8s.io", "apiextensions.k8s.io", "coordination.k8s.io"];
const core = ["configmaps", "events", "namespaces", "namespaces/finalize", "namespaces/status", "secrets"];
const aggregated = { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };
const resources = (names: readonly string[]): NonNullable<RequestStep["only"]> => [
  { list: "resources", key: "name", values: names },
];
const named = {
  names: { kind: "Widget", plural: "widgets", singular: "widget", shortNames: ["wd"], categories: ["all"] },
};
const scaled = {
  subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" } },
};

/** API discovery. */
export const discovery = subject("discovery", {
  "/api and /api/v1 are served": [get("/api"), get("/api/v1", { only: resources(core) })],
  "/apis lists the groups": [
    get("/apis", {
      only: [
        { list: "groups", key: "name", values: groups },
        { list: "groups/versions", key: "version", values: ["v1"] },
      ],
    }),
  ],
  "one API group is served": [get("/apis/apps"), get("/apis/apiextensions.k8s.io")],
  "the resources of a group version are listed": [
    get("/apis/apps/v1", { only: resources(["deployments", "deployments/scale", "deployments/status"]) }),
    get("/apis/apiextensions.k8s.io/v1"),
    get("/apis/events.k8s.io/v1"),
    get("/apis/coordination.k8s.io/v1"),
  ],
  "a CRD's group is listed": {
    id: "0fceb901",
    steps: [
      defineWidget(scaled, named),
      get("/apis/{group}", { until: { status: 200 } }),
      get("/apis/{group}/v1", { until: { includes: "widgets" } }),
    ],
  },
  "several versions are listed in order of preference": [
    post(
      definitions,
      widgetDefinition([
        widgetVersion("v1alpha1", { storage: false }),
        widgetVersion("v2", { storage: false }),
        widgetVersion("v1beta1"),
        widgetVersion("v10", { storage: false }),
        widgetVersion("foo", { storage: false }),
      ]),
      { fields: ["kind"] },
    ),
    waitFor("/apis/{group}/v2/widgets"),
    get("/apis/{group}", { until: { includes: "v10" } }),
  ],
  "aggregated discovery of the core group is served": [
    get("/api", { headers: aggregated, only: [{ list: "items/versions/resources", key: "resource", values: core }] }),
  ],
  "aggregated discovery of the groups is served": [
    get("/apis", {
      headers: aggregated,
      only: [
        { list: "items", key: "metadata.name", values: groups },
        { list: "items/versions", key: "version", values: ["v1"] },
        {
          list: "items/versions/resources",
          key: "resource",
          values: ["deployments", "events", "customresourcedefinitions", "leases"],
        },
      ],
    }),
  ],
  "aggregated discovery includes a CRD's group": [
    defineWidget(scaled, named),
    get("/apis", {
      headers: aggregated,
      until: { includes: "{group}" },
      only: [{ list: "items", key: "metadata.name", values: ["{group}"] }],
    }),
  ],
  "aggregated discovery v2beta1 is requested": [
    get("/api", {
      headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList" },
      only: [{ list: "items/versions/resources", key: "resource", values: core }],
    }),
  ],
  "a client that accepts both forms gets aggregated discovery": [
    get("/api", {
      headers: { accept: `${aggregated.accept},application/json` },
      only: [{ list: "items/versions/resources", key: "resource", values: core }],
    }),
  ],
  "health endpoints return ok": [
    get("/healthz"),
    get("/livez"),
    get("/readyz"),
    get("/healthz/ping"),
    get("/readyz/nothing"),
  ],
  "/version is served": [
    get("/version", {
      fields: ["major", "minor", "emulationMajor", "emulationMinor", "minCompatibilityMajor", "minCompatibilityMinor"],
    }),
  ],
});

const keys = {
  list: "paths",
  key: "",
  values: ["api/v1", "apis/apps/v1", "apis/coordination.k8s.io/v1", "version", "api", "apis"],
};
const schemas = (values: readonly string[]): NonNullable<RequestStep["only"]> => [
  { list: "components/schemas", key: "", values },
  { list: "paths", key: "", values: [] },
];

/** OpenAPI v3 documents. */
export const openApi = subject("openapi", {
  "the OpenAPI v3 index lists each group version": [get("/openapi/v3", { only: [keys] })],
  "non-resource paths have their own OpenAPI documents": [
    ...[
      "api",
      "apis",
      "version",
      "apis/apps",
      "apis/rbac.authorization.k8s.io",
      "apis/flowcontrol.apiserver.k8s.io",
    ].map((place) =>
      get(`/openapi/v3/${place}`, {
        fields: ["openapi", "info", `paths./${place}/.get.operationId`, `paths./${place}/.get.tags`],
      }),
    ),
    get("/openapi/v3/apis/{group}"),
    get("/openapi/v3/"),
    get("/openapi/v3/api/"),
    get("/openapi/v3/version?hash=0", { fields: ["openapi"] }),
    get("/openapi/v3/apis/apps/v1", { fields: ["openapi", "info"] }),
  ],
  "a missing group version has no schema": [get("/openapi/v3/apis/nothing.example.com/v1")],
  "the schema of a custom resource is published": [
    defineWidget(),
    get("/openapi/v3/apis/{group}/v1", { until: { includes: "Widget" }, only: schemas(["~Widget", "~WidgetList"]) }),
  ],
  "the paths of a custom resource are published": [
    defineWidget(),
    get("/openapi/v3/apis/{group}/v1", { until: { includes: "Widget" }, fields: ["openapi", "info"] }),
  ],
});
