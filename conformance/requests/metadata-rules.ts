import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, type RequestStep, remove, subject } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { configMap, configMaps, widget, widgets } from "./sample-objects.js";

const map = `${configMaps}/a`;
const shown = ["kind", "code", "reason", "message", "details"];
const someUid = "11111111-2222-4333-8444-555555555555";

const attempt = (metadata: JsonObject): RequestStep =>
  post(`${configMaps}?dryRun=All`, configMap("a", {}, metadata), { fields: shown });
const custom = (metadata: JsonObject): RequestStep =>
  post(`${widgets}?dryRun=All`, widget("a", {}, metadata), { fields: shown });

const rules: readonly JsonObject[] = [
  { name: "A" },
  { name: "a.b-c" },
  { name: "a..b" },
  { name: "x".repeat(254) },
  { name: "", generateName: "A-" },
  { name: "", generateName: "a-" },
  { name: "" },
  { labels: { "": "x" } },
  { labels: { "a/b/c": "x" } },
  { labels: { "A_b.c": "x" } },
  { labels: { [`${"x".repeat(64)}`]: "x" } },
  { labels: { a: "x".repeat(64) } },
  { labels: { a: "-x" } },
  { labels: { "example.com/a": "ok" } },
  { labels: { "Example.com/a": "x" } },
  { annotations: { "a b": "x" } },
  { annotations: { UPPER: "anything & more" } },
  { annotations: { a: "x".repeat(262_145) } },
  { finalizers: ["plain"] },
  { finalizers: ["a b/c"] },
  { finalizers: ["example.com/a", "example.com/a"] },
  { finalizers: ["kubernetes", "orphan"] },
  { finalizers: ["orphan", "foregroundDeletion"] },
  { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid: someUid }] },
  { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "o" }] },
  { ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] },
  { ownerReferences: [{ apiVersion: "a/b/c", kind: "X", name: "o", uid: someUid }] },
  { ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "o", uid: someUid }] },
  { namespace: "other" },
  { resourceVersion: "1" },
  { uid: someUid },
  { generation: 7, selfLink: "/x", creationTimestamp: "2020-01-01T00:00:00Z", deletionGracePeriodSeconds: 3 },
  { deletionTimestamp: "2020-01-01T00:00:00Z" },
  { creationTimestamp: "yesterday" },
  { labels: { a: 1 } },
  { labels: [] },
  { finalizers: "x" },
  { generation: "x" },
];

/** Validation of metadata, and deletion. */
export const metadataRules = subject("metadata-rules", {
  "metadata of built-in kinds is validated": [rules.map(attempt)],
  "metadata of custom resources is validated": [defineWidget(), rules.map(custom)],
  "deletes respect their preconditions": [
    post(configMaps, configMap("a"), { capture: { uid: "metadata.uid", rv: "metadata.resourceVersion" } }),
    remove(map, { preconditions: { uid: someUid } }),
    remove(map, { preconditions: { resourceVersion: "1" } }),
    remove(map, { preconditions: { uid: someUid, resourceVersion: "1" } }),
    remove(map, { preconditions: { uid: "{uid}", resourceVersion: "{rv}" }, dryRun: ["All"] }),
    remove(map, { preconditions: { uid: "" } }),
    remove(map, { preconditions: {}, dryRun: ["All"] }),
    remove(map, { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Nonsense" }),
    remove(map, { propagationPolicy: "Orphan", orphanDependents: true }),
    remove(map, { dryRun: ["Nonsense"] }),
    remove(map, { gracePeriodSeconds: -1, dryRun: ["All"] }),
    remove(map, { gracePeriodSeconds: "x" }),
    remove(map, { kind: "Nonsense", apiVersion: "v1" }),
    remove(map, { kind: "DeleteOptions", apiVersion: "nonsense/v1", dryRun: ["All"] }),
    remove(map, { nothing: 1, dryRun: ["All"] }),
    remove(`${map}?propagationPolicy=Nonsense`),
    remove(`${map}?gracePeriodSeconds=x`),
    remove(`${map}?dryRun=All`),
    remove(map, [] as never),
    remove(map, { preconditions: { uid: "{uid}" } }),
    remove(map),
  ],
  "finalizers of a terminating object can only be removed": [
    post(configMaps, configMap("a", { k: "1" }, { finalizers: ["example.com/a", "example.com/b"] })),
    remove(map),
    remove(map),
    mergePatch(map, { metadata: { finalizers: ["example.com/c"] } }),
    mergePatch(map, { metadata: { finalizers: ["example.com/b", "example.com/a"] } }),
    mergePatch(map, { data: { k: "2" } }),
    mergePatch(map, { metadata: { deletionTimestamp: null } }),
    mergePatch(map, { metadata: { labels: { a: "b" }, finalizers: ["example.com/a"] } }),
    remove(map, { propagationPolicy: "Background" }),
    mergePatch(map, { metadata: { finalizers: [] } }),
    get(map),
  ],
  "deleting a custom resource raises its generation": [
    defineWidget({ subresources: { status: {} } }),
    post(widgets, widget("a", { spec: { size: 1 } }, { finalizers: ["example.com/a"] })),
    remove(`${widgets}/a`),
    mergePatch(`${widgets}/a`, { spec: { size: 2 } }),
    mergePatch(`${widgets}/a/status`, { status: { ready: true } }),
    put(`${widgets}/a`, widget("a", { spec: { size: 3 } }, { resourceVersion: "1" })),
    mergePatch(`${widgets}/a`, { metadata: { finalizers: null } }),
    get(`${widgets}/a`, { until: { status: 404 } }),
  ],
  "a collection is deleted by its selectors": [
    post(configMaps, configMap("a", {}, { labels: { x: "1" } })),
    post(configMaps, configMap("b", {}, { labels: { x: "2" } })),
    post(configMaps, configMap("c", {}, { labels: { x: "1" }, finalizers: ["example.com/a"] })),
    remove(`${configMaps}?labelSelector=x%3D1&dryRun=All`),
    remove(`${configMaps}?labelSelector=x%3D1`),
    remove(`${configMaps}?fieldSelector=metadata.name%3Db`),
    get(configMaps),
    remove(`${configMaps}?labelSelector=x%20in`),
  ],
});
