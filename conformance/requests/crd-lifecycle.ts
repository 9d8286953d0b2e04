import type { JsonObject } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, remove, subject, waitFor, wording } from "../test-case.js";
import { changeVersions, defineVersions, defineWidget, widgetVersion } from "./custom-kind.js";
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
import { string } from "./schema-builders.js";

const plain = widgetVersion("v1");
const status = ["kind", "code", "message", "reason", "status"];
const message = { fields: ["kind", "code", "message"] };
const reason = { fields: ["kind", "code", "message", "reason"] };

/** A CRD with other names in the case's group. */
function other(plural: string, names: JsonObject) {
  return post(
    definitions,
    { ...widgetDefinition([plain], { names: { plural, ...names } }), metadata: { name: `${plural}.{group}` } },
    message,
  );
}

const settled = (plural: string) =>
  get(`${definitions}/${plural}.{group}`, { until: { includes: "NamesAccepted" }, fields: ["status"] });

/** How CRDs are accepted, served, changed and deleted. */
export const crdLifecycle = subject("crd-lifecycle", {
  "conflicting names are reported one by one": [
    defineWidget(
      {},
      {
        names: { kind: "Widget", plural: "widgets", singular: "widget", shortNames: ["wd", "wg"], categories: ["all"] },
      },
    ),
    other("gadgets", { kind: "Widget" }),
    settled("gadgets"),
    other("gizmos", { kind: "Gizmo", listKind: "WidgetList" }),
    settled("gizmos"),
    other("things", { kind: "Thing", singular: "widget" }),
    settled("things"),
    other("tools", { kind: "Tool", shortNames: ["wd", "ok", "wg"] }),
    settled("tools"),
    other("wd", { kind: "Wd" }),
    settled("wd"),
    get("/apis/{group}/v1/tools", { fields: ["kind", "code"] }),
    remove(definition, undefined, { fields: ["kind"] }),
    get(definition, { until: { status: 404 }, fields: ["code"] }),
  ],
  "names of an established CRD can change, its scope cannot": wording(
    defineWidget(),
    mergePatch(
      definition,
      { spec: { names: { shortNames: ["wx"], categories: ["mine"], singular: "wid" } } },
      { fields: ["kind", "message"] },
    ),
    get(definition, { until: { includes: '"acceptedNames":{"categories' }, fields: ["spec", "status"] }),
    mergePatch(definition, { spec: { names: { listKind: "Widgets" } } }, { fields: ["kind", "message"] }),
    mergePatch(definition, { spec: { names: { shortNames: ["A"] } } }, { fields: status }),
    mergePatch(definition, { spec: { scope: "Cluster" } }, { fields: status }),
  ),
  "versions are added and removed": [
    defineWidget(),
    changeVersions([], { fields: status }),
    changeVersions([widgetVersion("v1", { served: false })], { fields: ["kind", "code"] }),
    get(widgets, { until: { status: 404 }, fields: ["code"] }),
    changeVersions([widgetVersion("v1", { storage: false }), widgetVersion("v2")], { fields: ["kind", "code"] }),
    waitFor("/apis/{group}/v2/widgets"),
    get(definition, { fields: ["status"] }),
    post(widgets, widget("a", { spec: { size: 1 } }), { fields: ["apiVersion", "kind", "spec"] }),
    get("/apis/{group}/v2/namespaces/{ns}/widgets/a", { fields: ["apiVersion", "kind", "spec"] }),
    changeVersions([widgetVersion("v2")], { fields: status }),
    mergePatch(`${definition}/status`, { status: { storedVersions: [] } }, reason),
    mergePatch(`${definition}/status`, { status: { storedVersions: ["v2"] } }, reason),
    mergePatch(`${definition}/status`, { status: { acceptedNames: { plural: "A B" } } }, reason),
    changeVersions([widgetVersion("v2")], message),
  ],
  "a terminating CRD rejects creates and waits for finalizers": wording(
    defineWidget(),
    post(widgets, widget("a", {}, { finalizers: ["example.com/a"] }), { fields: ["kind"] }),
    post(widgets, widget("b"), { fields: ["kind"] }),
    remove(definition, undefined, { fields: ["kind", "metadata"] }),
    get(definition, { until: { includes: "InstanceDeletionInProgress" }, fields: ["kind", "metadata"] }),
    get(`${widgets}/b`, { until: { status: 404 }, fields: ["code"] }),
    post(widgets, widget("c"), { until: { status: 403 } }),
    apply(`${widgets}/c?fieldManager=m`, widget("c")),
    mergePatch(`${widgets}/a`, { spec: { size: 2 } }, { fields: ["kind", "spec"] }),
    remove(definition, undefined, { fields: ["kind"] }),
    mergePatch(`${widgets}/a`, { metadata: { finalizers: null } }, { fields: ["kind"] }),
    get(definition, { until: { status: 404 }, fields: ["code"] }),
    get(widgets, { until: { status: 404 }, fields: ["code"] }),
  ),
  "CRDs are written by update and apply": wording(
    apply(`${definition}?fieldManager=m`, widgetDefinition([plain])),
    waitFor(definition, { includes: "InitialNamesAccepted" }),
    apply(`${definition}?fieldManager=m`, widgetDefinition([version("v1", specSchema({ ...size, more: string }))]), {
      fields: ["kind", "metadata", "spec"],
    }),
    apply(
      `${definition}?fieldManager=n`,
      widgetDefinition([plain], { names: { kind: "Other", plural: "widgets" } }),
      message,
    ),
    put(definition, widgetDefinition([plain]), message),
    mergePatch(definition, { metadata: { annotations: { a: "b" } } }, { fields: ["kind", "metadata"] }),
    mergePatch(definition, { status: { storedVersions: ["v9"] } }, message),
    mergePatch(definition, { metadata: { finalizers: ["plain"] } }, message),
    changeVersions([{ name: "v1", served: "yes" }], { fields: ["kind", "code", "reason"] }),
    post(`${definitions}?fieldValidation=Strict&dryRun=All`, { ...widgetDefinition([plain]), nothing: 1 }, message),
    post(
      `${definitions}?fieldValidation=Strict&dryRun=All`,
      widgetDefinition([version("v1", { ...specSchema(size), nothing: 1 })]),
      message,
    ),
  ),
  "a cluster-scoped kind has no namespaces": wording(
    defineVersions([widgetVersion("v1", { subresources: { status: {} } })], { scope: "Cluster" }),
    post("/apis/{group}/v1/widgets", widget("a", { spec: { size: 1 } })),
    post("/apis/{group}/v1/widgets", widget("b", {}, { namespace: "x" })),
    get("/apis/{group}/v1/namespaces/{ns}/widgets"),
    get("/apis/{group}/v1/namespaces/{ns}/widgets/a"),
    apply("/apis/{group}/v1/widgets/a?fieldManager=m", widget("a", { spec: { color: "red" } }, { namespace: "x" })),
    mergePatch("/apis/{group}/v1/widgets/a/status", { status: { ready: true } }),
    get("/apis/{group}/v1/widgets/a/none"),
    put("/apis/{group}/v1/widgets/none", widget("none")),
    remove("/apis/{group}/v1/widgets/a"),
    remove("/apis/{group}/v1/widgets/a"),
  ),
});
