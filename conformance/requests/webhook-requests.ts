import type { JsonObject } from "@kubewright/core/json";
import { apply, mergePatch, post, put, remove, type Step, type Steps, send, subject } from "../test-case.js";
import { defineVersions, defineWidget, widgetVersion } from "./custom-kind.js";
import { configMap, configMaps, deployment, deployments, object, pods, widget, widgets } from "./sample-objects.js";
import { cleaningUp, hook, mutating, rule, validating } from "./webhook-steps.js";

const everything = rule({ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], scope: "Namespaced" });
const namespaces = rule({ resources: ["namespaces"] });
const attributes = ["kind", "resource", "subResource", "requestKind", "requestResource", "requestSubResource"];
const identity = ["name", "namespace", "operation", "dryRun", "options"];
const paths = [...attributes, ...identity].map((name) => `request.${name}`);
/** A validating webhook whose warnings show these parts of its reviews. */
const echo = (echoed: readonly string[], fields: JsonObject = {}): JsonObject =>
  hook("echo", { echo: echoed }, { rules: [everything, namespaces], ...fields });

// The options of a connection have no labels: a selector never matches them.
const onConnections = { rules: [rule({ operations: ["CONNECT"], resources: ["pods/*"] })], objectSelector: {} };
const podObject = object("v1", "Pod", "a", { spec: { containers: [{ name: "c", image: "i" }] } });
const silently = (step: Step): Step => (step.kind === "request" ? { ...step, silent: true } : step);
const account = "/api/v1/namespaces/{ns}/serviceaccounts";
const autoscalers = "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers";
const autoscaler = object("autoscaling/v1", "HorizontalPodAutoscaler", "a", {
  spec: { scaleTargetRef: { kind: "Deployment", name: "a" }, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
});
const onV2 = rule({ apiGroups: ["autoscaling"], apiVersions: ["v2"], resources: ["horizontalpodautoscalers"] });

const whatRequestsSend: Record<string, Steps> = {
  "a create": [post(configMaps, configMap("a", { k: "v" }))],
  "a create with options": [post(`${configMaps}?fieldManager=m&fieldValidation=Strict&dryRun=All`, configMap("a"))],
  "a create with a generated name": [
    post(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "x-" } }),
  ],
  "an update": [
    silently(post(configMaps, configMap("a"))),
    put(`${configMaps}/a?fieldManager=m`, configMap("a", { k: "v" })),
  ],
  "a patch": [
    silently(post(configMaps, configMap("a"))),
    mergePatch(`${configMaps}/a?fieldManager=m`, { data: { k: "v" } }),
  ],
  "an apply that creates": [apply(`${configMaps}/a?fieldManager=m&force=true`, configMap("a"))],
  "an apply that updates": [
    silently(post(configMaps, configMap("a"))),
    apply(`${configMaps}/a?fieldManager=m&force=true`, configMap("a", { k: "v" })),
  ],
  "a delete": [silently(post(configMaps, configMap("a"))), remove(`${configMaps}/a`)],
  "a delete with options": [
    silently(post(configMaps, configMap("a"))),
    remove(`${configMaps}/a`, { gracePeriodSeconds: 0, propagationPolicy: "Background" }),
  ],
  "a delete with options in the query": [
    silently(post(configMaps, configMap("a"))),
    remove(`${configMaps}/a?propagationPolicy=Foreground&gracePeriodSeconds=3`),
  ],
  "a delete in a dry run": [silently(post(configMaps, configMap("a"))), remove(`${configMaps}/a?dryRun=All`)],
  "a write to the status": [
    silently(post(deployments, deployment("a"))),
    mergePatch(`${deployments}/a/status`, { status: { replicas: 1 } }),
  ],
  "a write to the scale": [
    silently(post(deployments, deployment("a"))),
    mergePatch(`${deployments}/a/scale`, { spec: { replicas: 2 } }),
  ],
  "an update of the scale": [
    silently(post(deployments, deployment("a"))),
    put(`${deployments}/a/scale`, object("autoscaling/v1", "Scale", "a", { spec: { replicas: 2 } })),
  ],
  "a binding": [
    silently(post(pods, podObject)),
    post(`${pods}/a/binding`, object("v1", "Binding", "a", { target: { kind: "Node", name: "n" } })),
  ],
  "a create in the collection of bindings": [
    silently(post(pods, podObject)),
    post("/api/v1/namespaces/{ns}/bindings", object("v1", "Binding", "a", { target: { kind: "Node", name: "n" } })),
  ],
  "an eviction": [silently(post(pods, podObject)), post(`${pods}/a/eviction`, object("policy/v1", "Eviction", "a"))],
  "a token": [
    silently(post(account, object("v1", "ServiceAccount", "a"))),
    {
      ...post(`${account}/a/token`, { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} }),
      fields: ["kind"],
    },
  ],
  "an exec": [silently(post(pods, podObject)), send("POST", `${pods}/a/exec?container=c&command=ls&stdout=true`)],
  "an ephemeral container": [
    silently(post(pods, podObject)),
    mergePatch(`${pods}/a/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: "e", image: "i" }] } }),
  ],
  "an access review": [
    post("/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews", {
      apiVersion: "authorization.k8s.io/v1",
      kind: "LocalSubjectAccessReview",
      metadata: { namespace: "{ns}" },
      spec: { user: "u", resourceAttributes: { namespace: "{ns}", verb: "get", resource: "pods" } },
    }),
  ],
  "an event": [
    post("/api/v1/namespaces/{ns}/events", {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "a" },
      involvedObject: { kind: "Pod", namespace: "{ns}", name: "a" },
    }),
  ],
  "an update of a namespace": [mergePatch("/api/v1/namespaces/{ns}", { metadata: { labels: { a: "b" } } })],
};

const cases: Record<string, Steps> = {};
for (const [what, steps] of Object.entries(whatRequestsSend)) {
  const [before, last] = [steps.flat().slice(0, -1), steps.flat().slice(-1)];
  cases[`what a validating webhook receives of ${what}`] = [before, validating(echo(paths)), last];
  cases[`what a mutating webhook receives of ${what}`] = [before, mutating(echo(paths)), last];
}

const objects = ["request.object", "request.oldObject"];
const beforeRestored = [
  ...["uid", "generation", "creationTimestamp", "selfLink", "deletionTimestamp", "labels"].map(
    (field) => `request.object.metadata.${field}`,
  ),
  "request.object.spec.replicas",
  "request.object.spec.size",
  "request.object.status",
];
const changedMetadata: JsonObject = {
  ...deployment("a"),
  metadata: {
    name: "a",
    generation: 9,
    creationTimestamp: "2020-01-01T00:00:00Z",
    selfLink: "/x",
    deletionTimestamp: "2020-01-01T00:00:00Z",
    labels: { c: "d" },
  },
};
const metadata = ["request.object.metadata.uid", "request.object.metadata.generation", "request.object.metadata.name"];

/** What webhooks receive. */
export const webhookRequests = subject(
  "webhook-requests",
  cleaningUp({
    ...cases,
    "an exec is denied": [
      silently(post(pods, podObject)),
      validating(hook("deny", { deny: { message: "no" } }, { rules: [everything] })),
      send("POST", `${pods}/a/exec?container=c&command=ls&stdout=true`),
      send("GET", `${pods}/a/exec?container=c&command=ls&stdout=true`),
      send("GET", `${pods}/gone/exec?container=c&command=ls&stdout=true`),
      send("GET", `${pods}/a/proxy/x`),
    ],
    "what a webhook receives of a connection": [
      silently(post(pods, podObject)),
      validating(echo([...paths, "request.object"], onConnections)),
      send("POST", `${pods}/a/exec?container=c&command=ls&stdout=true`),
      send("GET", `${pods}/a/attach?stdin=true`),
      send("GET", `${pods}/a/portforward`),
      send("GET", `${pods}/a/proxy/x`),
    ],
    "a mutating webhook receives a new object without uid and generation": [
      mutating(echo(metadata)),
      post(deployments, deployment("a")),
    ],
    "a validating webhook receives the Scale": [
      silently(post(deployments, deployment("a"))),
      validating(echo(["request.object.kind", "request.object.spec", "request.oldObject.spec"])),
      mergePatch(`${deployments}/a/scale`, { spec: { replicas: 2 } }),
    ],
    "a webhook receives no objects of a custom resource that it deletes": [
      defineWidget(),
      silently(post(widgets, widget("a", { spec: { size: 1 } }))),
      validating(echo(["request.object", "request.oldObject.spec"])),
      remove(`${widgets}/a`),
    ],
    "a webhook receives the user": [
      validating(echo(["request.userInfo.username", "request.userInfo.groups"])),
      post(configMaps, configMap("a"), {
        headers: { "impersonate-user": "jane", "impersonate-group": "system:masters" },
      }),
    ],
    "a webhook receives the defaulted Deployment": [
      mutating(echo(["request.object.spec", "request.object.status"])),
      post(deployments, deployment("a")),
    ],
    "a mutating webhook receives an update before the server restores its fields": [
      silently(post(deployments, deployment("a"))),
      mutating(echo(beforeRestored)),
      put(`${deployments}/a`, { ...deployment("a"), status: { replicas: 7 } }),
      put(`${deployments}/a`, changedMetadata),
      mergePatch(`${deployments}/a`, { metadata: { generation: 8 }, status: { replicas: 7 } }),
      apply(`${deployments}/a?fieldManager=m&force=true`, { ...deployment("a"), status: { replicas: 7 } }),
      put(`${deployments}/a/status`, { ...changedMetadata, status: { replicas: 6 } }),
      mergePatch(`${deployments}/a/status`, { metadata: { labels: { a: "b" } }, spec: { replicas: 9 } }),
    ],
    "a mutating webhook receives an update of a custom resource before the server restores its fields": [
      defineWidget({ subresources: { status: {} } }),
      silently(post(widgets, widget("a", { spec: { size: 1 } }))),
      mutating(echo(beforeRestored)),
      mergePatch(`${widgets}/a`, { metadata: { generation: 8 }, status: { ready: true } }),
      apply(`${widgets}/a?fieldManager=m&force=true`, widget("a", { spec: { size: 2 }, status: { ready: true } })),
      apply(
        `${widgets}/a/status?fieldManager=m&force=true`,
        widget("a", { spec: { size: 3 }, status: { ready: true } }),
      ),
      mergePatch(`${widgets}/a/status`, { metadata: { labels: { a: "b" } }, spec: { size: 9 } }),
    ],
    "a webhook patches the status that an apply sets on the main resource": [
      defineWidget({ subresources: { status: {} } }),
      silently(post(widgets, widget("a", { spec: { size: 1 } }))),
      mutating(
        hook("patch", { patch: [{ op: "replace", path: "/status/ready", value: false }] }, { rules: [everything] }),
      ),
      apply(`${widgets}/a?fieldManager=m`, widget("a", { status: { ready: true } })),
      apply(`${widgets}/a?fieldManager=m`, widget("a", { status: {} })),
      apply(`${widgets}/a?fieldManager=m`, widget("a")),
    ],
    "a webhook receives both objects of an update": [
      silently(post(configMaps, configMap("a", { k: "1" }))),
      validating(echo(["request.object.data", "request.oldObject.data"])),
      mergePatch(`${configMaps}/a`, { data: { k: "2" } }),
    ],
    "a webhook for another version receives the converted object": [
      validating(echo([...paths, "request.object.apiVersion", "request.object.spec.metrics"], { rules: [onV2] })),
      post(autoscalers, autoscaler),
    ],
    "a mutating webhook for another version patches the converted object": [
      mutating(hook("patch", { patch: [{ op: "add", path: "/spec/minReplicas", value: 2 }] }, { rules: [onV2] })),
      post(autoscalers, autoscaler),
    ],
    "a webhook for another version with the matchPolicy Exact is not called": [
      validating(hook("deny", { deny: {} }, { rules: [onV2], matchPolicy: "Exact" })),
      post(autoscalers, autoscaler),
    ],
    "a webhook for another version of a custom resource receives the converted object": [
      defineVersions([widgetVersion("v1"), widgetVersion("v2", { storage: false })]),
      validating(
        echo([...objects.map((one) => `${one}.apiVersion`), "request.requestKind", "request.object.spec"], {
          rules: [rule({ apiGroups: ["{group}"], apiVersions: ["v2"], resources: ["widgets"] })],
        }),
      ),
      post(widgets, widget("a", { spec: { size: 1 } })),
      mergePatch(`${widgets}/a`, { spec: { size: 2 } }),
    ],
    "webhook configurations are not sent to webhooks": [
      validating(
        hook(
          "deny",
          { deny: {} },
          {
            rules: [{ ...everything, scope: "*" }],
            namespaceSelector: {},
            objectSelector: { matchLabels: { of: "{ns}" } },
          },
        ),
      ),
      {
        ...post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
          apiVersion: "admissionregistration.k8s.io/v1",
          kind: "ValidatingWebhookConfiguration",
          metadata: { name: "{ns}-other", labels: { of: "{ns}" } },
        }),
      },
    ],
  }),
);
