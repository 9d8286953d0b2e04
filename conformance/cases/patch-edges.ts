import type { JsonValue } from "@kubewright/core/json";
import {
  jsonPatch,
  mergePatch,
  patch,
  post,
  type RequestStep,
  type Subject,
  scenario,
  send,
  strategicPatch,
} from "../case.js";
import { configMap, configMaps, define, deployment, deployments, widget, widgets } from "./sample-objects.js";

const map = `${configMaps}/a`;
const dep = `${deployments}/d`;
const one = `${widgets}/a`;
const shown = ["kind", "code", "reason", "message", "details", "data", "spec"];

const made = post(
  configMaps,
  configMap("a", { k: "1", l: "2" }, { labels: { x: "1" }, finalizers: ["example.com/a"] }),
);
const dry = (operations: JsonValue): RequestStep => jsonPatch(`${map}?dryRun=All`, operations, { fields: shown });
const freeSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const free = (operations: JsonValue): RequestStep => jsonPatch(`${one}?dryRun=All`, operations, { fields: shown });
const strategic = (body: JsonValue): RequestStep => strategicPatch(`${dep}?dryRun=All`, body, { fields: shown });
const containers = (value: JsonValue): JsonValue => ({ spec: { template: { spec: { containers: value } } } });

/** Patches at their edges. */
export const patchEdges: Subject = {
  name: "patch-edges",
  cases: [
    scenario(
      "operations of a JSON patch are taken as the server takes them",
      made,
      dry([{ op: "add", path: "/data/new", value: "1" }]),
      dry([{ op: "add", path: "/data/k", value: "9" }]),
      dry([{ op: "add", path: "/none/new", value: "1" }]),
      dry([{ op: "add", path: "data/k", value: "1" }]),
      dry([{ op: "add", path: "", value: {} }]),
      dry([{ op: "add", path: "/data/new" }]),
      dry([{ op: "remove", path: "/data/none" }]),
      dry([{ op: "remove", path: "/none/none" }]),
      dry([{ op: "replace", path: "/none/x", value: "1" }]),
      dry([{ op: "replace", path: "/data/k" }]),
      dry([{ op: "test", path: "/data/k", value: "1" }]),
      dry([{ op: "test", path: "/data/k", value: "2" }]),
      dry([{ op: "test", path: "/data/none", value: null }]),
      dry([{ op: "test", path: "/data/none" }]),
      dry([{ op: "test", path: "/data", value: { l: "2", k: "1" } }]),
      dry([{ op: "copy", from: "/data/k", path: "/data/copy" }]),
      dry([{ op: "copy", from: "/data/none", path: "/data/copy" }]),
      dry([{ op: "move", from: "/data/k", path: "/data/moved" }]),
      dry([{ op: "move", from: "/data/none", path: "/data/moved" }]),
      dry([{ op: "move", path: "/data/moved" }]),
      dry([{ path: "/data/k", value: "1" }]),
      dry([{ op: "add", value: "1" }]),
      dry([{ op: 1, path: "/data/k" }]),
      dry(["text"]),
      dry([null]),
      dry([]),
      dry([{ op: "add", path: "/metadata/labels/a~1b", value: "1" }]),
      dry([{ op: "remove", path: "/metadata" }]),
      dry([{ op: "remove", path: "/kind" }]),
    ),
    scenario(
      "a JSON patch of lists goes by index",
      ...define({ type: "object", properties: { spec: freeSchema } }),
      post(widgets, widget("a", { spec: { list: [1, 2, 3], map: { a: null, "x~y": 1, "p/q": 2 }, deep: [[1]] } })),
      free([{ op: "add", path: "/spec/list/-", value: 4 }]),
      free([{ op: "add", path: "/spec/list/0", value: 0 }]),
      free([{ op: "add", path: "/spec/list/3", value: 4 }]),
      free([{ op: "add", path: "/spec/list/4", value: 4 }]),
      free([{ op: "add", path: "/spec/list/-1", value: 4 }]),
      free([{ op: "add", path: "/spec/list/x", value: 4 }]),
      free([{ op: "remove", path: "/spec/list/1" }]),
      free([{ op: "remove", path: "/spec/list/3" }]),
      free([{ op: "remove", path: "/spec/list/-1" }]),
      free([{ op: "replace", path: "/spec/list/0", value: 9 }]),
      free([{ op: "replace", path: "/spec/list/3", value: 9 }]),
      free([{ op: "replace", path: "/spec/list/-", value: 9 }]),
      free([{ op: "test", path: "/spec/list/0", value: 1 }]),
      free([{ op: "test", path: "/spec/list/7", value: null }]),
      free([{ op: "test", path: "/spec/map/a", value: null }]),
      free([{ op: "test", path: "/spec/list", value: [1, 2] }]),
      free([{ op: "move", from: "/spec/list/0", path: "/spec/list/2" }]),
      free([{ op: "copy", from: "/spec/list", path: "/spec/more" }]),
      free([{ op: "replace", path: "/spec/map/x~0y", value: 5 }]),
      free([{ op: "replace", path: "/spec/map/p~1q", value: 5 }]),
      free([{ op: "add", path: "/spec/deep/0/0", value: { a: [] } }]),
      free([{ op: "replace", path: "/apiVersion", value: "x/v1" }]),
      free([{ op: "replace", path: "/kind", value: "Other" }]),
      free([{ op: "replace", path: "/metadata/name", value: "b" }]),
      free([{ op: "replace", path: "/metadata/uid", value: "11111111-2222-4333-8444-555555555555" }]),
      free([{ op: "replace", path: "/metadata", value: "text" }]),
      free([{ op: "replace", path: "/spec", value: null }]),
      mergePatch(`${one}?dryRun=All`, { kind: "Other" }, { fields: shown }),
      mergePatch(`${one}?dryRun=All`, { apiVersion: "x/v1" }, { fields: shown }),
      mergePatch(`${one}?dryRun=All`, { metadata: { name: "b" } }, { fields: shown }),
      mergePatch(`${one}?dryRun=All`, { metadata: null }, { fields: shown }),
      mergePatch(`${one}?dryRun=All`, { metadata: { resourceVersion: "1" } }, { fields: shown }),
      mergePatch(`${one}?dryRun=All`, { metadata: { labels: { a: 1 } } }, { fields: shown }),
      mergePatch(`${one}?dryRun=All`, [], { fields: shown }),
      mergePatch(`${one}?dryRun=All`, "text", { fields: shown }),
      mergePatch(`${one}?dryRun=All`, null, { fields: shown }),
      mergePatch(`${one}?dryRun=All`, { spec: { list: [1, null], map: { a: { b: null, c: 1 } } } }, { fields: shown }),
      strategicPatch(`${one}?dryRun=All`, { spec: {} }, { fields: shown }),
      patch("application/nonsense", `${one}?dryRun=All`, {}, { fields: shown }),
      send("PATCH", `${one}?dryRun=All`, {
        text: "{}",
        headers: { "content-type": "application/json" },
        fields: shown,
      }),
    ),
    scenario(
      "directives of a strategic merge patch are followed",
      post(deployments, {
        ...deployment("d"),
        spec: {
          selector: { matchLabels: { app: "d" } },
          template: {
            metadata: { labels: { app: "d" } },
            spec: {
              containers: [
                { name: "a", image: "a", ports: [{ containerPort: 80 }, { containerPort: 81 }], args: ["1", "2"] },
                { name: "b", image: "b", env: [{ name: "X", value: "1" }] },
              ],
              tolerations: [{ key: "k", operator: "Exists" }],
            },
          },
        },
      }),
      strategic(containers([{ name: "a", image: "new" }])),
      strategic(containers([{ name: "c", image: "c" }])),
      strategic(containers([{ name: "a", $patch: "delete" }])),
      strategic(containers([{ $patch: "replace" }, { name: "z", image: "z" }])),
      strategic(containers([{ name: "a", $patch: "merge" }])),
      strategic(containers([{ name: "a", $patch: "replace", image: "only" }])),
      strategic(containers([{ name: "a", args: ["3"] }])),
      strategic(containers([{ name: "a", ports: [{ containerPort: 80, $patch: "delete" }] }])),
      strategic(containers([{ name: "b", env: [{ name: "X", value: null }] }])),
      strategic(containers([{ name: "b", env: null }])),
      strategic(containers([{ name: "nothing", $patch: "delete" }])),
      strategic(containers(["text"])),
      strategic(containers({})),
      strategic(containers(null)),
      strategic({
        spec: {
          template: {
            spec: {
              $setElementOrder: [],
              "$setElementOrder/containers": [{ name: "b" }, { name: "a" }],
              containers: [{ name: "b", image: "b2" }],
            },
          },
        },
      }),
      strategic({
        spec: {
          template: {
            spec: { "$setElementOrder/containers": [{ name: "a" }], containers: [{ name: "b", image: "x" }] },
          },
        },
      }),
      strategic({ spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } }),
      strategic({ spec: { strategy: { $retainKeys: ["rollingUpdate"], type: "Recreate" } } }),
      strategic({ spec: { strategy: { $patch: "replace", type: "Recreate" } } }),
      strategic({ spec: { template: { spec: { tolerations: [] } } } }),
      strategic({ spec: { template: { $patch: "delete" } } }),
      strategic({ metadata: { labels: { $patch: "replace", only: "1" } } }),
      strategic({ metadata: { "$deleteFromPrimitiveList/finalizers": ["x"] } }),
      strategic({ spec: { replicas: "text" } }),
      strategic({ nothing: 1 }),
      strategic([]),
      strategic("text"),
      strategic(null),
    ),
    scenario(
      "primitive lists merge, and lose what they are told to",
      made,
      strategicPatch(map, { metadata: { finalizers: ["example.com/b"] } }),
      strategicPatch(map, { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a"] } }),
      strategicPatch(map, {
        metadata: { "$setElementOrder/finalizers": ["example.com/c", "example.com/b"], finalizers: ["example.com/c"] },
      }),
      strategicPatch(map, { metadata: { finalizers: null } }),
      strategicPatch(map, { data: { $patch: "delete" } }),
      strategicPatch(map, { data: { $patch: "replace", z: "1" } }),
    ),
    scenario(
      "patches of what is not there, or with the wrong version, are refused",
      made,
      mergePatch(`${configMaps}/none`, { data: {} }),
      jsonPatch(`${configMaps}/none`, [{ op: "nonsense", path: "/x" }]),
      strategicPatch(`${configMaps}/none`, { data: {} }),
      mergePatch(map, { metadata: { resourceVersion: "1" } }),
      mergePatch(map, { metadata: { resourceVersion: "0" } }),
      mergePatch(map, { metadata: { resourceVersion: "" } }),
      mergePatch(map, { metadata: { namespace: "other" } }),
      mergePatch(map, { metadata: { name: "other" } }),
      mergePatch(map, { metadata: { creationTimestamp: "2020-01-01T00:00:00Z" } }),
      mergePatch(map, { metadata: { deletionTimestamp: "2020-01-01T00:00:00Z" } }),
      mergePatch(map, { metadata: { generation: 7 } }),
      mergePatch(map, { metadata: { uid: null, resourceVersion: null, creationTimestamp: null } }),
    ),
    scenario(
      "a patch that is too long is refused",
      made,
      jsonPatch(
        map,
        Array.from({ length: 10_001 }, () => ({ op: "test", path: "/data/k", value: "1" })),
        { fields: ["kind", "code", "reason", "message"] },
      ),
    ),
  ],
};
