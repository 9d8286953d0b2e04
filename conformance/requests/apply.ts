import type { JsonObject } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, send, subject, wording } from "../test-case.js";
import { defineSpec, defineWidget } from "./custom-kind.js";
import { configMap, configMaps, deployment, deployments, widget, widgets } from "./sample-objects.js";
import { listByKeys, listOf, mapOf, object, setOf, string } from "./schema-builders.js";

const at = `${configMaps}/a`;
const dep = `${deployments}/d`;
const lastApplied = '{"apiVersion":"v1","data":{"k":"1"},"kind":"ConfigMap","metadata":{"name":"a"}}\n';

const main = (image: string) => ({ name: "main", image });

/** A Deployment with only this container. */
const withContainer = (container: JsonObject) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: { template: { spec: { containers: [container] } } },
});

/** Server-side apply. */
export const applies = subject("apply", {
  "an apply creates, then updates": [
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
    apply(`${at}?fieldManager=one`, configMap("a", { k: "2", l: "1" })),
    get(at),
  ],
  "an apply removes fields that it solely owned and no longer sets": [
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1", l: "1" })),
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
  ],
  "an apply keeps fields that another manager also owns": [
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1", l: "1" })),
    apply(`${at}?fieldManager=two`, configMap("a", { l: "1" })),
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
  ],
  "a repeated apply keeps resourceVersion and time": [
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
  ],
  "an apply without a fieldManager is rejected": [apply(at, configMap("a"))],
  "an apply needs apiVersion and kind": [apply(`${at}?fieldManager=one`, { metadata: { name: "a" } })],
  "an apply with managedFields is rejected": [
    apply(`${at}?fieldManager=one`, configMap("a", {}, { managedFields: [{ manager: "x" }] })),
  ],
  "an apply of another name, kind or version is rejected": [
    apply(`${at}?fieldManager=one`, configMap("b")),
    apply(`${at}?fieldManager=one`, { ...configMap("a"), kind: "Secret" }),
    apply(`${at}?fieldManager=one`, { ...configMap("a"), apiVersion: "v2" }),
  ],
  "an apply with a uid to a missing object is a conflict": [
    apply(`${at}?fieldManager=one`, configMap("a", {}, { uid: "11111111-2222-4333-8444-555555555555" })),
    apply(`${at}?fieldManager=one`, configMap("a", {}, { uid: "x", namespace: "other" })),
    apply(`${at}?fieldManager=one`, configMap("b", {}, { uid: "x" })),
  ],
  "an apply with an old resourceVersion is a conflict": [
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" }), { capture: { rv: "metadata.resourceVersion" } }),
    mergePatch(at, { data: { x: "1" } }),
    apply(`${at}?fieldManager=one`, configMap("a", { k: "2" }, { resourceVersion: "{rv}" })),
  ],
  "an apply with an unknown field is rejected": [
    apply(`${at}?fieldManager=one`, { ...configMap("a"), nothing: 1 }),
    apply(`${dep}?fieldManager=one`, deployment("d", { nothing: 1 })),
  ],
  "an apply in YAML is accepted": [
    send("PATCH", `${at}?fieldManager=one`, {
      headers: { "content-type": "application/apply-patch+yaml" },
      text: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "1"\n',
    }),
  ],
  "an apply merges containers by name": [
    apply(`${dep}?fieldManager=one`, deployment("d")),
    apply(`${dep}?fieldManager=two`, withContainer({ name: "side", image: "busybox" })),
  ],
  "an apply of a list with the same key twice is rejected": [
    apply(
      `${dep}?fieldManager=one`,
      deployment("d", {
        template: { metadata: { labels: { app: "d" } }, spec: { containers: [main("a"), main("b")] } },
      }),
    ),
  ],
  "an apply to an object created by an update records the update first": [
    post(`${configMaps}?fieldManager=maker`, configMap("a", { k: "1" })),
    apply(`${at}?fieldManager=one`, configMap("a", { l: "1" })),
  ],
  "an apply to an object without managedFields records before-first-apply": [
    post(configMaps, configMap("a", { k: "1" })),
    put(at, configMap("a", { k: "1" }, { managedFields: [{}] })),
    apply(`${at}?fieldManager=one`, configMap("a", { l: "1" })),
  ],
  "an apply of a custom resource merges maps, sets and lists by their type": [
    defineSpec({
      set: setOf(string),
      map: listByKeys(["name"], object({ name: string, value: string }, { required: ["name"] })),
      atomic: listOf(string),
      free: mapOf(string),
      whole: mapOf(string, { "x-kubernetes-map-type": "atomic" }),
    }),
    apply(
      `${widgets}/a?fieldManager=one`,
      widget("a", {
        spec: { set: ["a", "b"], map: [{ name: "x", value: "1" }], atomic: ["1"], free: { a: "1" }, whole: { a: "1" } },
      }),
    ),
    apply(
      `${widgets}/a?fieldManager=two`,
      widget("a", { spec: { set: ["b", "c"], map: [{ name: "y", value: "2" }], free: { b: "1" } } }),
    ),
    apply(
      `${widgets}/a?fieldManager=one`,
      widget("a", { spec: { set: ["a"], map: [], atomic: ["2"], whole: { b: "1" } } }),
    ),
  ],
  "an apply of labels and finalizers merges them": [
    apply(`${at}?fieldManager=one`, configMap("a", {}, { labels: { a: "1" }, finalizers: ["x.io/a"] })),
    apply(`${at}?fieldManager=two`, configMap("a", {}, { labels: { b: "1" }, finalizers: ["x.io/b"] })),
    apply(`${at}?fieldManager=one`, configMap("a")),
  ],
  "an apply of a custom resource with defaults does not own them": [
    defineSpec({ size: { type: "integer", default: 3 }, color: string }),
    apply(`${widgets}/a?fieldManager=one`, widget("a", { spec: { color: "red" } })),
  ],
  "an apply that fails schema validation is rejected": [
    defineWidget(),
    apply(`${widgets}/a?fieldManager=one`, widget("a", { spec: { size: "big" } })),
    apply(`${widgets}/a?fieldManager=one`, widget("a", { spec: { nothing: "big" } })),
  ],
  "an apply into a namespace that does not exist is not found": [
    apply("/api/v1/namespaces/not-there/configmaps/a?fieldManager=one", configMap("a")),
  ],
  "an apply of null removes nothing and owns nothing": [
    apply(`${at}?fieldManager=one`, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: null }),
  ],
  "migration from client-side apply strips the last-applied annotation": [
    post(
      `${configMaps}?fieldManager=kubectl-client-side-apply`,
      configMap("a", { k: "1" }, { annotations: { "kubectl.kubernetes.io/last-applied-configuration": lastApplied } }),
    ),
    apply(`${at}?fieldManager=kubectl&force=true`, configMap("a", { k: "2" })),
  ],
});

/** Conflicts between field managers. */
export const applyConflicts = subject("apply-conflicts", {
  "two appliers of one field conflict": wording(
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
    apply(`${at}?fieldManager=two`, configMap("a", { k: "2" })),
  ),
  "a forced apply takes over ownership": wording(
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
    apply(`${at}?fieldManager=two&force=true`, configMap("a", { k: "2" })),
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
  ),
  "two appliers of the same value share it": wording(
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
    apply(`${at}?fieldManager=two`, configMap("a", { k: "1" })),
    apply(`${at}?fieldManager=one`, configMap("a", { k: "2" })),
  ),
  "an apply conflicts with an update, and the message names its time": wording(
    post(`${configMaps}?fieldManager=updater`, configMap("a", { k: "1" })),
    apply(`${at}?fieldManager=one`, configMap("a", { k: "2" })),
  ),
  "several conflicts with one manager are listed": wording(
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1", l: "1", m: "1" })),
    apply(`${at}?fieldManager=two`, configMap("a", { k: "2", l: "2", m: "1" })),
  ),
  "several conflicts with several managers are listed": wording(
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
    apply(`${at}?fieldManager=two`, configMap("a", { l: "1" })),
    apply(`${at}?fieldManager=three`, configMap("a", { k: "2", l: "2" })),
  ),
  "an update takes ownership from an applier": wording(
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
    mergePatch(`${at}?fieldManager=two`, { data: { k: "2" } }),
    apply(`${at}?fieldManager=one`, configMap("a", { k: "3" })),
  ),
  "a conflict in a list is named by its key": wording(
    apply(`${dep}?fieldManager=one`, deployment("d")),
    apply(`${dep}?fieldManager=two`, withContainer(main("other"))),
  ),
  "a dry run of a conflict is a conflict": wording(
    apply(`${at}?fieldManager=one`, configMap("a", { k: "1" })),
    apply(`${at}?fieldManager=two&dryRun=All`, configMap("a", { k: "2" })),
    apply(`${at}?fieldManager=two&dryRun=All&force=true`, configMap("a", { k: "2" })),
    get(at),
  ),
});
