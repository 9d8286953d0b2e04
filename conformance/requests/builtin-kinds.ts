import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, type RequestStep, remove, subject, wording } from "../test-case.js";
import { create, createSpec, patchSpec } from "./object-steps.js";
import { configMap, configMaps, container, deployment, deployments, leases, secrets } from "./sample-objects.js";

const createDeployment = (name: string, spec: JsonObject = {}): RequestStep =>
  post(deployments, deployment(name, spec));
const allNamespaces = "/api/v1/namespaces";
const events = "/api/v1/namespaces/{ns}/events";
const newEvents = "/apis/events.k8s.io/v1/namespaces/{ns}/events";
const about = { kind: "ConfigMap", name: "a", namespace: "{ns}" };
/** The template of a Deployment with this pod spec. */
const pod = (spec: JsonObject): JsonObject => ({ template: { metadata: { labels: { app: "d" } }, spec } });
const containers = (container: JsonObject): JsonObject =>
  pod({ containers: [{ name: "main", image: "nginx", ...container }] });

/** Defaults and validation of the kinds that operators use most. */
export const builtinKinds = subject("builtin-kinds", {
  "keys of a ConfigMap are validated": [
    post(configMaps, configMap("a", { "bad key": "1", ok: "3" })),
    post(configMaps, configMap("a", { "..": "2" })),
    post(configMaps, { ...configMap("a", { k: "1" }), binaryData: { k: "eA==", b: "eA==" } }),
    post(configMaps, { ...configMap("b"), binaryData: { b: "not base64!" } }),
    post(configMaps, { ...configMap("c"), binaryData: { b: "eHk=" } }),
  ],
  "bytes are stored in canonical base64": [
    post(configMaps, { ...configMap("a"), binaryData: { padded: "YR==", two: "YWJ=", lines: "YW\nJj" } }),
    create(secrets, "a", { data: { padded: "YR==" } }),
  ],
  "a Secret accepts stringData and returns data": [
    create(secrets, "a", { stringData: { k: "text" }, data: { k: "eA==", l: "eA==" } }),
    create(secrets, "b", { data: { k: "not base64!" } }),
  ],
  "the type of a Secret is validated and immutable": [
    create(secrets, "a", { type: "kubernetes.io/tls" }),
    create(secrets, "a", { type: "kubernetes.io/basic-auth" }),
    create(secrets, "a", { type: "kubernetes.io/service-account-token" }),
    create(secrets, "b"),
    mergePatch(`${secrets}/b`, { type: "other" }),
    create(secrets, "ssh", { type: "kubernetes.io/ssh-auth" }),
  ],
  "an immutable Secret cannot change": wording(
    create(secrets, "a", { immutable: true, stringData: { k: "1" } }),
    mergePatch(`${secrets}/a`, { stringData: { k: "2" } }),
    mergePatch(`${secrets}/a`, { immutable: null }),
  ),
  "a Namespace gets its label, finalizer and phase": wording(
    get(`${allNamespaces}/{ns}`),
    create(allNamespaces, "Bad_"),
    create(allNamespaces, "{ns}"),
    mergePatch(`${allNamespaces}/{ns}`, { metadata: { labels: { a: "b", "kubernetes.io/metadata.name": "x" } } }),
  ),
  "a Lease is validated": [
    createSpec(leases, "a", { leaseDurationSeconds: 0, leaseTransitions: -1 }),
    createSpec(leases, "b", { renewTime: "yesterday" }),
    createSpec(leases, "c", { renewTime: "2001-01-01T00:00:00Z", strategy: "Nonsense" }),
    createSpec(leases, "d", { holderIdentity: "" }),
  ],
  "an Event is served in both API groups": [
    create(events, "e", {
      involvedObject: about,
      reason: "Because",
      message: "It was so",
      type: "Normal",
      count: 1,
      firstTimestamp: "2001-01-01T00:00:00Z",
      lastTimestamp: "2001-01-01T00:00:00Z",
      source: { component: "me" },
    }),
    get(`${newEvents}/e`),
    get(events),
    get(newEvents),
  ],
  "an events.k8s.io Event is validated": [
    create(newEvents, "f", { regarding: about, type: "Odd", eventTime: "2001-01-01T00:00:00.000000Z" }),
  ],
  "an Event in a namespace other than its object's is rejected": [
    create(events, "e", { involvedObject: { ...about, namespace: "other" }, reason: "x" }),
    create(events, "f", { involvedObject: { kind: "Namespace", name: "x" }, reason: "x" }),
  ],
  "Events are selected by their involved object": [
    create(events, "e", { involvedObject: { ...about, uid: "u1" }, reason: "Because", type: "Warning" }),
    create(events, "f", { involvedObject: { ...about, name: "b" }, reason: "Other", type: "Normal" }),
    get(`${events}?fieldSelector=involvedObject.name%3Da`),
    get(`${events}?fieldSelector=reason%3DOther,type%3DNormal`),
    get(`${newEvents}?fieldSelector=regarding.name%3Da`),
    get(`${events}?fieldSelector=involvedObject.uid%3Du1`),
  ],
  "a Deployment gets its defaults": [createDeployment("d"), get(`${deployments}/d`)],
  "a Deployment without a selector or template is rejected": wording(
    createSpec(deployments, "d", {}),
    create(deployments, "d"),
  ),
  "a Deployment whose selector does not fit its template is rejected": [
    createDeployment("d", { selector: { matchLabels: { app: "other" } } }),
    createDeployment("d", { selector: {} }),
    createDeployment("d", { selector: { matchExpressions: [{ key: "app", operator: "Nonsense" }] } }),
  ],
  "a Deployment's selector cannot change": wording(
    createDeployment("d"),
    patchSpec(`${deployments}/d`, {
      selector: { matchLabels: { app: "x" } },
      template: { metadata: { labels: { app: "x" } } },
    }),
  ),
  "negative numbers in a Deployment are rejected": [
    createDeployment("d", { replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 }),
    createDeployment("d", { minReadySeconds: 700 }),
  ],
  "the strategy of a Deployment is validated": [
    createDeployment("d", { strategy: { type: "Nonsense" } }),
    createDeployment("d", { strategy: { type: "Recreate", rollingUpdate: {} } }),
    createDeployment("d", { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    createDeployment("d", { strategy: { rollingUpdate: { maxSurge: "x%", maxUnavailable: "200%" } } }),
    createDeployment("ok", { strategy: { rollingUpdate: { maxSurge: 1 } } }),
    createDeployment("re", { strategy: { type: "Recreate" } }),
  ],
  "containers need an image and a unique name": wording(
    createDeployment("d", pod({ containers: [] })),
    createDeployment("d", pod({ containers: [{ name: "a" }, { image: "x" }] })),
    createDeployment("d", pod({ containers: [container("a", "x"), container("a", "y")] })),
    createDeployment("d", pod({ containers: [{ name: "Bad_", image: "x" }] })),
  ),
  "container defaults depend on the fields that are set": [
    createDeployment(
      "d",
      containers({
        image: "nginx:1.2",
        ports: [{ containerPort: 80 }],
        livenessProbe: { httpGet: { port: 80 } },
        readinessProbe: { tcpSocket: { port: "http" } },
        env: [
          { name: "A", value: "1" },
          { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        ],
        resources: { limits: { cpu: "1", memory: "1Gi" } },
        lifecycle: { preStop: { httpGet: { port: 80 } } },
      }),
    ),
    createDeployment(
      "e",
      pod({
        containers: [{ name: "a", image: "x" }],
        initContainers: [{ name: "i", image: "y:latest" }],
        volumes: [
          { name: "v", configMap: { name: "c" } },
          { name: "w", secret: { secretName: "s" } },
          { name: "e" },
          { name: "p", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
          { name: "h", hostPath: { path: "/x" } },
        ],
      }),
    ),
  ],
  "the pod template of a Deployment is validated": wording(
    createDeployment("d", pod({ containers: [{ name: "a", image: "x" }], restartPolicy: "Never" })),
    createDeployment("d", containers({ resources: { limits: { cpu: "nonsense" } } })),
    createDeployment("d", containers({ volumeMounts: [{ name: "none", mountPath: "/x" }] })),
  ),
  "only a spec change raises a Deployment's generation": [
    createDeployment("d"),
    mergePatch(`${deployments}/d`, { metadata: { annotations: { a: "1" } } }),
    patchSpec(`${deployments}/d`, { replicas: 2 }),
    put(`${deployments}/d`, deployment("d")),
  ],
  "quantities are stored in canonical form": [
    createDeployment(
      "d",
      containers({
        resources: {
          requests: { cpu: "0.5", memory: "1024Mi", "example.com/x": "2" },
          limits: { cpu: "1000m", memory: "2G", "example.com/x": "2" },
        },
      }),
    ),
  ],
});

const own = "/api/v1/namespaces/{ns}-own";
/** Namespaces and their deletion. */
export const namespaces = subject("namespaces", {
  "deleting a namespace deletes its objects": wording(
    create(allNamespaces, "{ns}-own"),
    post(`${own}/configmaps`, configMap("a")),
    remove(own),
    get(own, { until: { status: 404 } }),
    get(`${own}/configmaps`),
  ),
  "an empty namespace is deleted": wording(
    create(allNamespaces, "{ns}-own"),
    remove(own),
    get(own, { until: { status: 404 } }),
  ),
  "a terminating namespace waits for finalizers and rejects creates": wording(
    create(allNamespaces, "{ns}-own"),
    post(`${own}/configmaps`, configMap("a", {}, { finalizers: ["x.io/hold"] })),
    remove(own),
    get(own, { until: { includes: "NamespaceFinalizersRemaining" }, fields: ["spec"] }),
    post(`${own}/configmaps`, configMap("b")),
    get(`${own}/configmaps/a`, { until: { includes: "deletionTimestamp" } }),
    mergePatch(`${own}/configmaps/a`, { metadata: { finalizers: null } }),
    get(own, { until: { status: 404 } }),
  ),
  "conditions of a terminating namespace name what it waits for": [
    create(allNamespaces, "{ns}-own"),
    post(`${own}/configmaps`, configMap("a", {}, { finalizers: ["x.io/hold"] })),
    remove(own),
    get(own, { until: { includes: "Some content in the namespace has finalizers remaining" }, fields: ["status"] }),
  ],
  "a namespace with its own finalizers stays Terminating": [
    post(allNamespaces, { metadata: { name: "{ns}-own", finalizers: ["x.io/own"] } }),
    remove(own),
    get(own, { until: { includes: '"spec":{}' }, fields: ["spec"] }),
  ],
  "default, kube-system and kube-public cannot be deleted": wording(
    ...["default", "kube-system", "kube-public"].map((name) => remove(`${allNamespaces}/${name}`)),
  ),
  "namespaces have no deletecollection": [remove(allNamespaces)],
  "a namespace with generateName gets its label": [post(allNamespaces, { metadata: { generateName: "gen-" } })],
  "a namespace's name is a DNS label": [create(allNamespaces, "a.b"), create(allNamespaces, "x".repeat(64))],
});
