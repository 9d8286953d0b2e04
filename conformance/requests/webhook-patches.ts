import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, remove, type Step, type Steps, subject } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import {
  configMap,
  configMaps,
  define,
  deployment,
  deployments,
  pods,
  size,
  widget,
  widgets,
} from "./sample-objects.js";
import {
  cleaningUp,
  configuration,
  hook,
  mutating,
  mutatingConfigurations,
  rule,
  validating,
} from "./webhook-steps.js";

const create: Step[] = [post(configMaps, configMap("a", { k: "v" })), get(`${configMaps}/a`)];
const add = (path: string, value: JsonValue): JsonObject => ({ op: "add", path, value });

/** Patches of a ConfigMap, by a sentence about them. */
const onConfigMap: Readonly<Record<string, JsonValue>> = {
  "adds a field": [add("/data/b", "b")],
  "replaces the data": [{ op: "replace", path: "/data", value: { x: "y" } }],
  "removes the data": [{ op: "remove", path: "/data" }],
  "removes a field that does not exist": [{ op: "remove", path: "/data/gone" }],
  "replaces a field that does not exist": [{ op: "replace", path: "/data/gone", value: "1" }],
  "adds to a parent that does not exist": [add("/metadata/labels/a", "b")],
  "adds labels": [add("/metadata/labels", { a: "b" })],
  "adds invalid labels": [add("/metadata/labels", { "!": "b" })],
  "adds annotations": [add("/metadata/annotations", { a: "b" })],
  "adds an unknown field": [add("/unknown", 1)],
  "adds a number where a string is expected": [add("/data/b", 1)],
  "replaces the data with a string": [add("/data", "x")],
  "changes the name": [{ op: "replace", path: "/metadata/name", value: "other" }],
  "removes the name": [{ op: "remove", path: "/metadata/name" }],
  "changes the namespace": [add("/metadata/namespace", "default")],
  "removes the namespace": [{ op: "remove", path: "/metadata/namespace" }],
  "sets a uid": [add("/metadata/uid", "11111111-1111-1111-1111-111111111111")],
  "sets a resourceVersion": [add("/metadata/resourceVersion", "1")],
  "sets a creationTimestamp": [add("/metadata/creationTimestamp", "2001-01-01T00:00:00Z")],
  "sets a deletionTimestamp": [add("/metadata/deletionTimestamp", "2001-01-01T00:00:00Z")],
  "sets a generation": [add("/metadata/generation", 5)],
  "sets a finalizer": [add("/metadata/finalizers", ["example.com/a"])],
  "changes the kind": [{ op: "replace", path: "/kind", value: "Secret" }],
  "changes the kind to an unknown one": [{ op: "replace", path: "/kind", value: "Unknown" }],
  "changes the apiVersion": [{ op: "replace", path: "/apiVersion", value: "v2" }],
  "removes the kind": [{ op: "remove", path: "/kind" }],
  "replaces the whole object": [
    { op: "replace", path: "", value: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } } },
  ],
  "copies and moves fields": [
    { op: "copy", from: "/data/k", path: "/data/copied" },
    { op: "move", from: "/data/k", path: "/data/moved" },
  ],
  "tests a value that differs": [{ op: "test", path: "/data/k", value: "other" }, add("/data/b", "b")],
  "tests a value that is equal": [{ op: "test", path: "/data/k", value: "v" }, add("/data/b", "b")],
  "has an unknown operation": [{ op: "invent", path: "/data/b" }],
  "has an operation without a path": [{ op: "add", value: 1 }],
  "has a null operation": [null],
  "sets a null": [add("/data/b", null)],
  "sets immutable to a string": [add("/immutable", "yes")],
  "makes it immutable": [add("/immutable", true)],
  "removes managedFields": [{ op: "remove", path: "/metadata/managedFields" }],
};

const patches: Record<string, Steps> = {};
for (const [what, patch] of Object.entries(onConfigMap))
  patches[`a mutating webhook whose patch ${what}`] = [mutating(hook("patch", { patch })), create];

const onWidgets = { rules: [rule({ apiGroups: ["{group}"], resources: ["widgets", "widgets/status"] })] };
const onDeployments = { rules: [rule({ apiGroups: ["apps"], resources: ["deployments", "deployments/*"] })] };
const onPods = { rules: [rule({ resources: ["pods", "pods/*"] })] };
/** Patches that make the metadata of a custom resource malformed. */
const malformedMetadata: Readonly<Record<string, readonly JsonObject[]>> = {
  "sets finalizers to an object": [add("/metadata/finalizers", { a: "b" })],
  "sets generateName to an object": [add("/metadata/generateName", { a: "b" })],
  "sets labels to a string": [add("/metadata/labels", "x")],
  "sets a label to a number": [add("/metadata/labels", { a: 1, b: "c" })],
  "sets annotations to a list": [add("/metadata/annotations", ["a"])],
  "adds an unknown field": [add("/metadata/unknown", "x")],
  "sets the name to a number": [add("/metadata/name", 1)],
  "sets ownerReferences to a string": [add("/metadata/ownerReferences", "x")],
  "sets creationTimestamp to a word": [add("/metadata/creationTimestamp", "x")],
  "sets generation to a word": [add("/metadata/generation", "x")],
  "replaces it by a string": [add("/metadata", "x")],
  "replaces it by null": [add("/metadata", null)],
  "removes it": [{ op: "remove", path: "/metadata" }],
};
const createWidget: Step[] = [post(widgets, widget("a", { spec: { size: 1 } })), get(`${widgets}/a`)];
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a" },
  spec: { containers: [{ name: "c", image: "i" }] },
};
const sidecar = [add("/spec/containers/-", { name: "sidecar", image: "s" })];
/** Counts in an annotation how often a webhook was called: each call appends a character. */
const appends = (name: string, letter: string, fields: JsonObject = {}): JsonObject =>
  hook(name, { patch: [add(`/data/${letter}`, letter)] }, fields);
const echoes = (name: string, fields: JsonObject = {}): JsonObject =>
  hook(name, { echo: ["request.object.data"] }, fields);
const again = { reinvocationPolicy: "IfNeeded" };

/** Patches of mutating webhooks, and their reinvocation. */
export const webhookPatches = subject(
  "webhook-patches",
  cleaningUp({
    ...patches,
    "an owner that a patch adds twice is kept once": [
      mutating(
        hook("patch", {
          patch: [
            add("/metadata/ownerReferences", [
              { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "1" },
              { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "1" },
            ]),
          ],
        }),
      ),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "a patch of an update is applied to the sent object": [
      { ...post(configMaps, configMap("a", { k: "v" })), silent: true },
      mutating(hook("patch", { patch: [add("/data/b", "b")] }, { rules: [rule({ operations: ["UPDATE"] })] })),
      put(`${configMaps}/a`, configMap("a", { c: "c" })),
      mergePatch(`${configMaps}/a`, { data: { d: "d" } }),
      apply(`${configMaps}/a?fieldManager=m`, configMap("a", { e: "e" })),
      get(`${configMaps}/a`),
    ],
    "a patch that reverts an update makes it a no-op": [
      { ...post(configMaps, configMap("a", { k: "v" })), silent: true },
      mutating(
        hook(
          "patch",
          { patch: [{ op: "replace", path: "/data", value: { k: "v" } }] },
          { rules: [rule({ operations: ["UPDATE"] })] },
        ),
      ),
      put(`${configMaps}/a`, configMap("a", { c: "c" })),
      get(`${configMaps}/a`),
    ],
    "an update whose name is patched": [
      { ...post(configMaps, configMap("a", { k: "v" })), silent: true },
      mutating(
        hook(
          "patch",
          { patch: [{ op: "replace", path: "/metadata/name", value: "b" }] },
          { rules: [rule({ operations: ["UPDATE"] })] },
        ),
      ),
      put(`${configMaps}/a`, configMap("a", { c: "c" })),
    ],
    "a patch of a delete is rejected": [
      { ...post(configMaps, configMap("a", { k: "v" })), silent: true },
      mutating(hook("patch", { patch: [add("/data/b", "b")] }, { rules: [rule({ operations: ["DELETE"] })] })),
      remove(`${configMaps}/a`),
      get(`${configMaps}/a`),
    ],
    "a patch in a dry run changes only the response": [
      mutating(hook("patch", { patch: [add("/data/b", "b")] })),
      post(`${configMaps}?dryRun=All`, configMap("a", { k: "v" })),
      get(`${configMaps}/a`),
    ],
    "a patched Deployment is defaulted and validated again": [
      mutating(
        hook(
          "patch",
          {
            patch: [add("/spec/template/spec/containers/-", { name: "x", image: "i", ports: [{ containerPort: 1 }] })],
          },
          onDeployments,
        ),
      ),
      post(deployments, deployment("a")),
    ],
    "a patch that makes a Deployment invalid": [
      mutating(hook("patch", { patch: [add("/spec/replicas", -1)] }, onDeployments)),
      post(deployments, deployment("a")),
    ],
    "a patch that sets a status has no effect": [
      mutating(hook("patch", { patch: [add("/status", { replicas: 5 })] }, onDeployments)),
      post(deployments, deployment("a")),
    ],
    "a sidecar is added to a Pod": [mutating(hook("sidecar", { patch: sidecar }, onPods)), post(pods, pod)],
    "a validating webhook sees the patched object": [
      mutating(hook("patch", { patch: [add("/data/b", "b")] })),
      validating(echoes("echo")),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "a later mutating webhook sees the patched object": [
      mutating(hook("patch", { patch: [add("/data/b", "b")] }), echoes("echo")),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "configurations are called in the order of their names": [
      configuration(mutatingConfigurations, "b", [appends("one", "b"), echoes("echo-b")]),
      configuration(mutatingConfigurations, "a", [appends("two", "a"), echoes("echo-a")]),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "a webhook with IfNeeded is called again after a later change": [
      mutating(echoes("echo", again), appends("patch", "b")),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "a webhook with Never is not called again": [
      mutating(echoes("echo"), appends("patch", "b")),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "a webhook with IfNeeded is not called again without a later change": [
      mutating(appends("patch", "b"), echoes("echo", again)),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "a patch without effect is no change": [
      mutating(echoes("echo", again), hook("patch", { patch: [{ op: "replace", path: "/data/k", value: "v" }] })),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "webhooks that change the object in the second round are not called a third time": [
      mutating(
        hook("one", { patch: [add("/data/one", "1")], echo: ["request.object.data"] }, again),
        hook("two", { patch: [add("/data/two", "2")], echo: ["request.object.data"] }, again),
      ),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "a webhook that did not match in the first round is not called in the second": [
      mutating(
        echoes("echo", { ...again, objectSelector: { matchLabels: { late: "yes" } } }),
        hook("label", { patch: [add("/metadata/labels", { late: "yes" })] }),
      ),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "a webhook sees labels that an earlier one added": [
      mutating(
        hook("label", { patch: [add("/metadata/labels", { late: "yes" })] }),
        echoes("echo", { objectSelector: { matchLabels: { late: "yes" } } }),
      ),
      post(configMaps, configMap("a", { k: "v" })),
    ],
    "a webhook may set the name of a new object": [
      mutating(hook("name", { patch: [add("/metadata/name", "named")] })),
      post(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "x-" } }),
      get(`${configMaps}/named`),
    ],
    "a custom resource is patched": [
      defineWidget(),
      mutating(hook("patch", { patch: [add("/spec/color", "red")] }, onWidgets)),
      createWidget,
    ],
    "a custom resource gets an unknown field by a patch": [
      defineWidget(),
      mutating(hook("patch", { patch: [add("/spec/unknown", "red")] }, onWidgets)),
      createWidget,
    ],
    "an unknown field of a patch is validated before it is pruned": [
      define({ type: "object", properties: { spec: { type: "object", maxProperties: 1, properties: size } } }),
      mutating(hook("patch", { patch: [add("/spec/unknown", "red")] }, onWidgets)),
      validating(hook("echo", { echo: ["request.object.spec"] }, onWidgets)),
      post(widgets, widget("a", { spec: { size: 1 } })),
      post(widgets, widget("a", { spec: {} })),
      mergePatch(`${widgets}/a`, { spec: { size: 1 } }),
      mergePatch(`${widgets}/a`, { metadata: { labels: { a: "b" } } }),
      mergePatch(`${widgets}/a`, {}),
      get(`${widgets}/a`),
    ],
    "a custom resource gets a value of a wrong type by a patch": [
      defineWidget(),
      mutating(hook("patch", { patch: [add("/spec/size", "red")] }, onWidgets)),
      createWidget,
    ],
    "a webhook tests empty labels of an applied custom resource": [
      defineWidget(),
      mutating(hook("test", { patch: [{ op: "test", path: "/metadata/labels", value: {} }] }, onWidgets)),
      apply(`${widgets}/a?fieldManager=m`, widget("a", { spec: { size: 1 } }, { labels: {} })),
    ],
    "a custom resource loses its kind by a patch": [
      defineWidget(),
      mutating(hook("patch", { patch: [{ op: "remove", path: "/kind" }] }, onWidgets)),
      createWidget,
    ],
    "a custom resource gets another apiVersion by a patch": [
      defineWidget(),
      mutating(hook("patch", { patch: [{ op: "replace", path: "/apiVersion", value: "example.com/v9" }] }, onWidgets)),
      createWidget,
    ],
    "a custom resource of an unknown version cannot be converted for a webhook": [
      defineWidget(),
      createWidget,
      mutating(hook("patch", { patch: [add("/spec/size", 2)] }, onWidgets)),
      ["{group}/v9", "v9", "apps/v1"].map((apiVersion) => mergePatch(`${widgets}/a`, { apiVersion })),
    ],
    "a custom resource gets another kind by a patch": [
      defineWidget(),
      mutating(hook("patch", { patch: [{ op: "replace", path: "/kind", value: "Gadget" }] }, onWidgets)),
      createWidget,
    ],
    "a custom resource gets another version by a patch": [
      defineWidget(),
      mutating(hook("patch", { patch: [{ op: "replace", path: "/apiVersion", value: "v9" }] }, onWidgets)),
      createWidget,
    ],
    ...Object.fromEntries(
      Object.entries(malformedMetadata).map(([what, patch]) => [
        `malformed metadata of a custom resource: a patch ${what}`,
        [
          defineWidget(),
          mutating(hook("patch", { patch }, onWidgets)),
          createWidget,
          apply(`${widgets}/b?fieldManager=m`, widget("b", { spec: { size: 1 } }, { labels: { c: "d" } })),
        ],
      ]),
    ),
    "a custom resource of another kind is changed by a patch": [
      defineWidget(),
      mutating(hook("patch", { patch: [add("/metadata/labels", { a: "b" })] }, onWidgets)),
      post(widgets, { ...widget("a", { spec: { size: 1 } }), kind: "Gadget" }),
      post(widgets, { ...widget("a", { spec: { size: "no" } }), kind: "1" }),
    ],
    "a custom resource of another kind gets a resourceVersion by a patch": [
      defineWidget(),
      mutating(hook("patch", { patch: [add("/metadata/resourceVersion", "1")] }, onWidgets)),
      post(widgets, { ...widget("a", { spec: { size: 1 } }), kind: "Gadget" }),
      createWidget,
    ],
    "an update whose generation is patched": [
      { ...post(configMaps, configMap("a", { k: "v" })), silent: true },
      mutating(
        hook("patch", { patch: [add("/metadata/generation", 7)] }, { rules: [rule({ operations: ["UPDATE"] })] }),
      ),
      put(`${configMaps}/a`, configMap("a", { c: "c" })),
    ],
    "an update whose uid is patched": [
      { ...post(configMaps, configMap("a", { k: "v" })), silent: true },
      mutating(hook("patch", { patch: [add("/metadata/uid", "1")] }, { rules: [rule({ operations: ["UPDATE"] })] })),
      put(`${configMaps}/a`, configMap("a", { c: "c" })),
    ],
    "an update whose resourceVersion is patched": [
      { ...post(configMaps, configMap("a", { k: "v" })), silent: true },
      mutating(
        hook(
          "patch",
          { patch: [add("/metadata/resourceVersion", "1")] },
          { rules: [rule({ operations: ["UPDATE"] })] },
        ),
      ),
      put(`${configMaps}/a`, configMap("a", { c: "c" })),
    ],
    "an update whose creationTimestamp is patched": [
      { ...post(configMaps, configMap("a", { k: "v" })), silent: true },
      mutating(
        hook(
          "patch",
          { patch: [add("/metadata/creationTimestamp", "2001-01-01T00:00:00Z")] },
          { rules: [rule({ operations: ["UPDATE"] })] },
        ),
      ),
      put(`${configMaps}/a`, configMap("a", { c: "c" })),
    ],
    "a custom resource loses its spec by a patch": [
      defineWidget(),
      mutating(hook("patch", { patch: [{ op: "remove", path: "/spec" }] }, onWidgets)),
      createWidget,
    ],
    "the status of a custom resource is patched": [
      defineWidget({ subresources: { status: {} } }),
      { ...post(widgets, widget("a", { spec: { size: 1 } })), silent: true },
      mutating(hook("patch", { patch: [add("/status/ready", true), add("/spec/size", 9)] }, onWidgets)),
      mergePatch(`${widgets}/a/status`, { status: { replicas: 1 } }),
      get(`${widgets}/a`),
    ],
    "the Scale of a Deployment is patched": [
      { ...post(deployments, deployment("a")), silent: true },
      mutating(
        hook(
          "patch",
          { patch: [add("/spec/replicas", 7)] },
          { rules: [rule({ apiGroups: ["apps"], resources: ["deployments/scale"] })] },
        ),
      ),
      mergePatch(`${deployments}/a/scale`, { spec: { replicas: 3 } }),
      { ...get(`${deployments}/a`), fields: ["spec.replicas"] },
    ],
  }),
);
