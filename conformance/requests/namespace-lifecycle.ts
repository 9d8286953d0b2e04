import { get, mergePatch, post, put, remove, send, subject, wording } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { configMap, define, widget } from "./sample-objects.js";

const own = "/api/v1/namespaces/{ns}-own";
const maps = `${own}/configmaps`;
const made = post("/api/v1/namespaces", { metadata: { name: "{ns}-own" } }, { fields: ["kind", "spec", "status"] });
const shown = ["kind", "code", "reason", "message", "details"];

/** Deletion of namespaces, and nesting depth of bodies. */
export const namespaceLifecycle = subject("namespace-lifecycle", {
  "a terminating namespace waits for its content's finalizers": wording(
    made,
    post(maps, configMap("a", {}, { finalizers: ["example.com/a"] }), { fields: ["kind"] }),
    post(maps, configMap("b"), { fields: ["kind"] }),
    remove(own, undefined, { fields: ["kind", "spec", "status"] }),
    get(own, { until: { includes: "NamespaceFinalizersRemaining" }, fields: ["kind", "spec", "status"] }),
    get(`${maps}/b`, { until: { status: 404 }, fields: ["code"] }),
    post(maps, configMap("c"), { fields: shown }),
    mergePatch(`${maps}/a`, { data: { k: "1" } }, { fields: ["kind", "data"] }),
    remove(own, undefined, { fields: ["kind", "code", "reason", "message"] }),
    mergePatch(own, { metadata: { labels: { a: "b" } } }, { fields: ["kind"] }),
    mergePatch(`${maps}/a`, { metadata: { finalizers: null } }, { fields: ["kind"] }),
    get(own, { until: { status: 404 } }),
    post(maps, configMap("d"), { fields: shown }),
  ),
  "custom resources are deleted with their namespace": [
    defineWidget(),
    made,
    post("/apis/{group}/v1/namespaces/{ns}-own/widgets", widget("a"), { fields: ["kind"] }),
    remove(own, undefined, { fields: ["kind"] }),
    get(own, { until: { status: 404 }, fields: ["code"] }),
    get("/apis/{group}/v1/namespaces/{ns}-own/widgets", { fields: ["kind", "items"] }),
  ],
  "a namespace has a finalize subresource": wording(
    made,
    put(
      `${own}/finalize`,
      {
        kind: "Namespace",
        apiVersion: "v1",
        metadata: { name: "{ns}-own" },
        spec: { finalizers: ["kubernetes", "example.com/x"] },
      },
      { fields: ["kind", "spec", "status"] },
    ),
    mergePatch(own, { spec: { finalizers: [] } }, { fields: ["kind", "spec"] }),
    remove("/api/v1/namespaces/default", undefined, { fields: shown }),
    remove("/api/v1/namespaces/kube-system", undefined, { fields: shown }),
    remove("/api/v1/namespaces/none", undefined, { fields: shown }),
    send("DELETE", "/api/v1/namespaces", { fields: shown }),
  ),
  "the nesting depth of a body is limited": [
    define({ type: "object", properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } }),
    ...[100, 900, 20_000].map((depth) =>
      send("POST", "/apis/{group}/v1/namespaces/{ns}/widgets?dryRun=All", {
        text: `{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`,
        fields: ["kind", "code"],
      }),
    ),
  ],
});
