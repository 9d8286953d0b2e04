import type { JsonObject } from "@kubewright/core/json";
import { get, jsonPatch, mergePatch, patch, post, send, strategicPatch, subject } from "../test-case.js";
import { defineSpec, defineWidget } from "./custom-kind.js";
import { configMap, configMaps, deployment, deployments, widget, widgets } from "./sample-objects.js";
import { listOf, string } from "./schema-builders.js";

const capture = { uid: "metadata.uid", rv: "metadata.resourceVersion" };
const made = post(configMaps, configMap("a", { k: "1", l: "1" }), { capture });
const at = `${configMaps}/a`;

/** JSON patches. */
export const patchJson = subject("patch-json", {
  "a JSON patch adds, replaces, removes, moves, copies and tests": [
    made,
    jsonPatch(at, [
      { op: "test", path: "/data/k", value: "1" },
      { op: "add", path: "/data/m", value: "2" },
      { op: "replace", path: "/data/k", value: "3" },
      { op: "remove", path: "/data/l" },
      { op: "copy", from: "/data/m", path: "/data/n" },
      { op: "move", from: "/data/n", path: "/data/o" },
    ]),
  ],
  "a JSON patch that replaces a missing key adds it": [
    made,
    jsonPatch(at, [{ op: "replace", path: "/data/none", value: "1" }]),
  ],
  "a JSON patch that is not a list is rejected": [made, jsonPatch(at, { data: {} })],
  "a JSON patch with an unknown operation is rejected": [made, jsonPatch(at, [{ op: "nothing", path: "/data/k" }])],
  "a JSON patch that makes the object invalid is rejected": [
    made,
    jsonPatch(at, [{ op: "add", path: "/metadata/labels", value: { "bad key!": "" } }]),
  ],
  "a JSON patch that changes the name or the version is rejected": [
    made,
    jsonPatch(at, [{ op: "replace", path: "/metadata/name", value: "b" }]),
    jsonPatch(at, [{ op: "replace", path: "/metadata/resourceVersion", value: "1" }]),
  ],
  "a JSON patch with escaped pointers reaches slashes and tildes": [
    made,
    jsonPatch(at, [
      { op: "add", path: "/metadata/annotations", value: { "example.com/x": "1" } },
      { op: "replace", path: "/metadata/annotations/example.com~1x", value: "2" },
    ]),
  ],
  "a JSON patch addresses list elements of a custom resource": [
    defineSpec({ list: listOf(string) }),
    post(widgets, widget("a", { spec: { list: ["b"] } })),
    jsonPatch(`${widgets}/a`, [
      { op: "add", path: "/spec/list/-", value: "c" },
      { op: "add", path: "/spec/list/0", value: "a" },
    ]),
    jsonPatch(`${widgets}/a`, [{ op: "add", path: "/spec/list/9", value: "c" }]),
  ],
  "an empty JSON patch changes nothing": [made, jsonPatch(at, [])],
  "a JSON patch of a missing object is not found": [jsonPatch(at, [{ op: "add", path: "/data/k", value: "v" }])],
});

/** Merge patches. */
export const patchMerge = subject("patch-merge", {
  "a merge patch sets, and null removes": [
    made,
    mergePatch(at, { data: { k: null, m: "2" }, metadata: { labels: { a: "b" } } }),
    get(at),
  ],
  "a merge patch without changes keeps the resourceVersion": [made, mergePatch(at, { data: { k: "1" } })],
  "a merge patch with the current resourceVersion is accepted, with an old one a conflict": [
    made,
    mergePatch(at, { metadata: { resourceVersion: "{rv}" }, data: { k: "2" } }),
    mergePatch(at, { metadata: { resourceVersion: "{rv}" }, data: { k: "3" } }),
  ],
  "a merge patch with another uid is rejected": [
    made,
    mergePatch(at, { metadata: { uid: "11111111-2222-4333-8444-555555555555" } }),
  ],
  "a merge patch that is not an object is rejected": [made, mergePatch(at, [1]), mergePatch(at, "text")],
  "a merge patch cannot change apiVersion or kind": [
    made,
    mergePatch(at, { kind: "Secret" }),
    mergePatch(at, { apiVersion: "v2" }),
  ],
  "a merge patch replaces lists of a custom resource as a whole": [
    defineSpec({ list: listOf(string) }),
    post(widgets, widget("a", { spec: { list: ["a", "b"] } })),
    mergePatch(`${widgets}/a`, { spec: { list: ["c"] } }),
  ],
  "a merge patch of the wrong type is rejected": [
    made,
    mergePatch(at, { data: { k: 5 } }),
    mergePatch(at, { data: "x" }),
  ],
  "a merge patch that violates a custom resource's schema is rejected": [
    defineWidget(),
    post(widgets, widget("a", { spec: { size: 1 } })),
    mergePatch(`${widgets}/a`, { spec: { size: "big" } }),
  ],
  "a patch with an unknown content type is rejected": [
    made,
    patch("application/json", at, {}),
    patch("text/plain", at, {}),
    send("PATCH", at, { text: "{}", headers: { "content-type": "" } }),
  ],
});

const dep = `${deployments}/d`;
const ofPods = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });

/** Strategic merge patches. */
export const patchStrategic = subject("patch-strategic", {
  "a strategic merge patch merges containers by name": [
    post(deployments, deployment("d")),
    strategicPatch(
      dep,
      ofPods({
        containers: [
          { name: "side", image: "busybox" },
          { name: "main", env: [{ name: "A", value: "1" }] },
        ],
      }),
    ),
  ],
  "a strategic merge patch removes a container with a directive": [
    post(deployments, deployment("d")),
    strategicPatch(dep, ofPods({ containers: [{ name: "side", image: "busybox" }] })),
    strategicPatch(dep, ofPods({ containers: [{ name: "main", $patch: "delete" }] })),
  ],
  "a strategic merge patch replaces a map with a directive": [
    made,
    strategicPatch(at, { data: { $patch: "replace", only: "1" } }),
  ],
  "a strategic merge patch orders by $setElementOrder": [
    post(deployments, deployment("d")),
    strategicPatch(
      dep,
      ofPods({
        "$setElementOrder/containers": [{ name: "side" }, { name: "main" }],
        containers: [{ name: "side", image: "busybox" }],
      }),
    ),
  ],
  "a strategic merge patch without the merge key is rejected": [
    post(deployments, deployment("d")),
    strategicPatch(dep, ofPods({ containers: [{ image: "busybox" }] })),
  ],
  "a strategic merge patch removes elements of a primitive list": [
    post(configMaps, configMap("a", {}, { finalizers: ["x.io/a", "x.io/b"] })),
    strategicPatch(at, { metadata: { "$deleteFromPrimitiveList/finalizers": ["x.io/a"] } }),
    strategicPatch(at, { metadata: { finalizers: ["x.io/c"] } }),
  ],
  "a strategic merge patch retains keys with $retainKeys": [
    post(deployments, deployment("d")),
    strategicPatch(dep, { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } }),
  ],
  "a strategic merge patch of a custom resource is not supported": [
    defineWidget(),
    post(widgets, widget("a")),
    strategicPatch(`${widgets}/a`, { spec: { size: 1 } }),
  ],
  "a strategic merge patch with an unknown directive is rejected": [
    made,
    strategicPatch(at, { data: { $patch: "nothing" } }),
  ],
});
