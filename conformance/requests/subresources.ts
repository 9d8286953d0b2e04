import { apply, get, jsonPatch, mergePatch, post, put, send, strategicPatch, subject, wording } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { define, deployment, deployments, specSchema, widget, widgets } from "./sample-objects.js";

const withStatus = { subresources: { status: {} } };
const at = `${widgets}/a`;
const made = post(widgets, widget("a", { spec: { size: 1 }, status: { ready: true } }), {
  capture: { rv: "metadata.resourceVersion" },
});
const scaled = {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    },
  },
};
const replicas = specSchema({ replicas: { type: "integer" } });

/** The status subresource. */
export const status = subject("status", {
  "a status on create is dropped": [defineWidget(withStatus), made],
  "the status subresource writes only the status": [
    defineWidget(withStatus),
    made,
    put(
      `${at}/status`,
      widget("a", { spec: { size: 9 }, status: { ready: true } }, { resourceVersion: "{rv}", labels: { l: "1" } }),
    ),
    get(at),
    get(`${at}/status`),
  ],
  "a patch of the object keeps the status, a patch of the status keeps the object": [
    defineWidget(withStatus),
    made,
    mergePatch(at, { status: { ready: true }, spec: { size: 2 } }),
    mergePatch(`${at}/status`, { status: { ready: true }, spec: { size: 3 }, metadata: { labels: { l: "1" } } }),
  ],
  "a write of the status does not raise the generation": [
    defineWidget(withStatus),
    made,
    mergePatch(`${at}/status`, { status: { ready: true } }),
    jsonPatch(`${at}/status`, [{ op: "replace", path: "/status/ready", value: false }]),
  ],
  "an apply of the status owns the status": wording(
    defineWidget(withStatus),
    made,
    apply(`${at}/status?fieldManager=one`, widget("a", { status: { ready: true } })),
    apply(`${at}/status?fieldManager=two`, widget("a", { status: { ready: false } })),
    apply(`${at}?fieldManager=three`, widget("a", { spec: { size: 5 }, status: { ready: false } })),
  ),
  "an apply of the status of a missing object is not found": wording(
    defineWidget(withStatus),
    apply(`${at}/status?fieldManager=one`, widget("a", { status: { ready: true } })),
    put(`${at}/status`, widget("a")),
  ),
  "a status that violates its schema is rejected": wording(
    defineWidget(withStatus),
    made,
    mergePatch(`${at}/status`, { status: { ready: "yes" } }),
  ),
  "a status subresource has no create or delete": [
    defineWidget(withStatus),
    made,
    send("POST", `${at}/status`, { body: widget("a") }),
    send("DELETE", `${at}/status`),
  ],
  "without the subresource the status is an ordinary field": wording(
    defineWidget(),
    made,
    get(`${at}/status`),
    mergePatch(at, { status: { ready: false } }),
  ),
  "the status of a Deployment is written through its subresource": [
    post(deployments, { ...deployment("d"), status: { replicas: 3 } }),
    mergePatch(`${deployments}/d/status`, {
      status: { replicas: 2, readyReplicas: 1, observedGeneration: 1 },
      spec: { replicas: 7 },
    }),
    strategicPatch(`${deployments}/d/status`, { status: { conditions: [{ type: "Available", status: "True" }] } }),
    get(`${deployments}/d`),
  ],
  "an invalid status of a Deployment is rejected": [
    post(deployments, deployment("d")),
    mergePatch(`${deployments}/d/status`, { status: { replicas: -1, readyReplicas: 5 } }),
  ],
  "a finalizer can be removed through the status subresource": [
    defineWidget(withStatus),
    post(widgets, widget("a", {}, { finalizers: ["x.io/a"] })),
    mergePatch(`${at}/status`, { metadata: { finalizers: null } }),
    get(at),
  ],
});

const scale = (name: string, count: number, metadata = {}) => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name, ...metadata },
  spec: { replicas: count },
});

const labels = { app: "d" };
const twoPorts = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: "main", image: "web:1", ports: [{ containerPort: 80 }, { containerPort: 443 }] }] },
    },
  },
};

/** The scale subresource. */
export const scales = subject("scale", {
  "the Scale of a Deployment is read and written": [
    post(deployments, deployment("d")),
    get(`${deployments}/d/scale`),
    put(`${deployments}/d/scale`, scale("d", 3, { namespace: "{ns}" })),
    mergePatch(`${deployments}/d/scale`, { spec: { replicas: 4 } }),
    get(`${deployments}/d`),
  ],
  "negative replicas of a Scale are rejected": [
    post(deployments, deployment("d")),
    mergePatch(`${deployments}/d/scale`, { spec: { replicas: -1 } }),
  ],
  "a Scale with an old resourceVersion is a conflict": wording(
    post(deployments, deployment("d"), { capture: { rv: "metadata.resourceVersion" } }),
    mergePatch(`${deployments}/d`, { spec: { replicas: 5 } }),
    put(`${deployments}/d/scale`, scale("d", 3, { resourceVersion: "{rv}" })),
  ),
  "the Scale of a missing object is not found": wording(
    get(`${deployments}/d/scale`),
    put(`${deployments}/d/scale`, scale("d", 1)),
  ),
  "a Scale of another kind is rejected": [
    post(deployments, deployment("d")),
    put(`${deployments}/d/scale`, deployment("d")),
    put(`${deployments}/d/scale`, scale("other", 1)),
  ],
  "the Scale of a custom resource is read and written": [
    define(replicas, scaled),
    post(widgets, widget("a", { spec: { replicas: 2 } })),
    mergePatch(`${at}/status`, { status: { replicas: 1, selector: "app=a" } }),
    get(`${at}/scale`),
    put(`${at}/scale`, scale("a", 3)),
    mergePatch(`${at}/scale`, { spec: { replicas: 4 } }),
    get(at),
  ],
  "the Scale of a custom resource without replicas is an error or zero": [
    define(replicas, scaled),
    post(widgets, widget("a", { spec: {} })),
    get(`${at}/scale`),
    put(`${at}/scale`, scale("a", 3)),
    get(`${at}/scale`),
  ],
  "a custom resource without replicas is scaled from zero by every type of patch": [
    define(replicas, scaled),
    ...["merge", "json", "apply", "none"].map((name) => post(widgets, widget(name, { spec: {} }))),
    mergePatch(`${widgets}/merge/scale`, { spec: { replicas: 2 } }),
    get(`${widgets}/merge`),
    jsonPatch(`${widgets}/json/scale`, [{ op: "replace", path: "/spec/replicas", value: 3 }]),
    jsonPatch(`${widgets}/json/scale`, [{ op: "add", path: "/spec/replicas", value: 3 }]),
    get(`${widgets}/json`),
    mergePatch(`${widgets}/none/scale`, {}),
    strategicPatch(`${widgets}/none/scale`, { spec: { replicas: 5 } }),
    put(`${widgets}/none/scale`, scale("none", 0)),
    get(`${widgets}/none`),
    get(`${widgets}/none/scale`),
    apply(`${widgets}/apply/scale?fieldManager=one`, scale("apply", 4)),
  ],
  "negative replicas of a custom resource's Scale are rejected": [
    define(replicas, scaled),
    post(widgets, widget("a", { spec: { replicas: 2 } })),
    mergePatch(`${at}/scale`, { spec: { replicas: -1 } }),
    put(`${at}/scale`, scale("a", -1)),
  ],
  "a custom resource without a scale subresource has none": wording(
    define(replicas),
    post(widgets, widget("a")),
    get(`${at}/scale`),
  ),
  "a Scale without changes may reorder managedFields of ports, and the next write restores the order": [
    apply(`${deployments}/d?fieldManager=one`, twoPorts),
    mergePatch(`${deployments}/d/scale`, {}),
    mergePatch(`${deployments}/d/scale`, {}),
    mergePatch(`${deployments}/d`, {}),
    mergePatch(`${deployments}/d`, {}),
    mergePatch(`${deployments}/d/scale`, {}),
    mergePatch(`${deployments}/d/status`, {}),
    mergePatch(`${deployments}/d/status`, {}),
    put(`${deployments}/d/scale`, scale("d", 1)),
    apply(`${deployments}/d?fieldManager=one`, twoPorts),
    apply(`${deployments}/d?fieldManager=one`, twoPorts),
    get(`${deployments}/d`),
  ],
  "an apply of the Scale owns the replicas": wording(
    post(deployments, deployment("d")),
    apply(`${deployments}/d/scale?fieldManager=one`, scale("d", 3)),
    get(`${deployments}/d`),
  ),
});
