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
/** What a Deployment needs for pods with this spec. */
const pod = (spec: JsonObject): JsonObject => ({ template: { metadata: { labels: { app: "d" } }, spec } });
const containers = (container: JsonObject): JsonObject =>
  pod({ containers: [{ name: "main", image: "nginx", ...container }] });

/** Defaults and rules of the kinds that operators use most. */
export const builtinKinds = subject("builtin-kinds", {
  "keys of a ConfigMap are checked": [
    post(configMaps, configMap("a", { "bad key": "1", ok: "3" })),
    post(configMaps, configMap("a", { "..": "2" })),
    post(configMaps, { ...configMap("a", { k: "1" }), binaryData: { k: "eA==", b: "eA==" } }),
    post(configMaps, { ...configMap("b"), binaryData: { b: "not base64!" } }),
    post(configMaps, { ...configMap("c"), binaryData: { b: "eHk=" } }),
  ],
  "a Secret takes texts and gives bytes": [
    create(secrets, "a", { stringData: { k: "text" }, data: { k: "eA==", l: "eA==" } }),
    create(secrets, "b", { data: { k: "not base64!" } }),
  ],
  "the type of a Secret is checked and cannot change": [
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
  "a Lease is checked": [
    createSpec(leases, "a", { leaseDurationSeconds: 0, leaseTransitions: -1 }),
    createSpec(leases, "b", { renewTime: "yesterday" }),
    createSpec(leases, "c", { renewTime: "2001-01-01T00:00:00Z", strategy: "Nonsense" }),
    createSpec(leases, "d", { holderIdentity: "" }),
  ],
  "an Event is stored under both groups": [
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
  "an Event of the new group is checked": [
    create(newEvents, "f", { regarding: about, type: "Odd", eventTime: "2001-01-01T00:00:00.000000Z" }),
  ],
  "an Event of another namespace than its object is refused": [
    create(events, "e", { involvedObject: { ...about, namespace: "other" }, reason: "x" }),
    create(events, "f", { involvedObject: { kind: "Namespace", name: "x" }, reason: "x" }),
  ],
  "Events are selected by their object": [
    create(events, "e", { involvedObject: { ...about, uid: "u1" }, reason: "Because", type: "Warning" }),
    create(events, "f", { involvedObject: { ...about, name: "b" }, reason: "Other", type: "Normal" }),
    get(`${events}?fieldSelector=involvedObject.name%3Da`),
    get(`${events}?fieldSelector=reason%3DOther,type%3DNormal`),
    get(`${newEvents}?fieldSelector=regarding.name%3Da`),
    get(`${events}?fieldSelector=involvedObject.uid%3Du1`),
  ],
  "a Deployment gets its defaults": [createDeployment("d"), get(`${deployments}/d`)],
  "a Deployment without a selector or template is refused": wording(
    createSpec(deployments, "d", {}),
    create(deployments, "d"),
  ),
  "a Deployment whose selector does not fit its template is refused": [
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
  "numbers of a Deployment below zero are refused": [
    createDeployment("d", { replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 }),
    createDeployment("d", { minReadySeconds: 700 }),
  ],
  "the strategy of a Deployment is checked": [
    createDeployment("d", { strategy: { type: "Nonsense" } }),
    createDeployment("d", { strategy: { type: "Recreate", rollingUpdate: {} } }),
    createDeployment("d", { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    createDeployment("d", { strategy: { rollingUpdate: { maxSurge: "x%", maxUnavailable: "200%" } } }),
    createDeployment("ok", { strategy: { rollingUpdate: { maxSurge: 1 } } }),
    createDeployment("re", { strategy: { type: "Recreate" } }),
  ],
  "containers need a name and an image, each name once": wording(
    createDeployment("d", pod({ containers: [] })),
    createDeployment("d", pod({ containers: [{ name: "a" }, { image: "x" }] })),
    createDeployment("d", pod({ containers: [container("a", "x"), container("a", "y")] })),
    createDeployment("d", pod({ containers: [{ name: "Bad_", image: "x" }] })),
  ),
  "containers get defaults by what they have": [
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
  "pods of a Deployment are checked": wording(
    createDeployment("d", pod({ containers: [{ name: "a", image: "x" }], restartPolicy: "Never" })),
    createDeployment("d", containers({ resources: { limits: { cpu: "nonsense" } } })),
    createDeployment("d", containers({ volumeMounts: [{ name: "none", mountPath: "/x" }] })),
  ),
  "a Deployment's generation grows with its spec alone": [
    createDeployment("d"),
    mergePatch(`${deployments}/d`, { metadata: { annotations: { a: "1" } } }),
    patchSpec(`${deployments}/d`, { replicas: 2 }),
    put(`${deployments}/d`, deployment("d")),
  ],
  "quantities are kept as the server writes them": [
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
  "a namespace that is deleted takes its objects along": wording(
    create(allNamespaces, "{ns}-own"),
    post(`${own}/configmaps`, configMap("a")),
    remove(own),
    get(own, { until: { status: 404 } }),
    get(`${own}/configmaps`),
  ),
  "an empty namespace goes too": wording(
    create(allNamespaces, "{ns}-own"),
    remove(own),
    get(own, { until: { status: 404 } }),
  ),
  "a namespace waits for what has finalizers, and takes nothing new": wording(
    create(allNamespaces, "{ns}-own"),
    post(`${own}/configmaps`, configMap("a", {}, { finalizers: ["x.io/hold"] })),
    remove(own),
    get(own, { until: { includes: "NamespaceFinalizersRemaining" }, fields: ["spec"] }),
    post(`${own}/configmaps`, configMap("b")),
    get(`${own}/configmaps/a`, { until: { includes: "deletionTimestamp" } }),
    mergePatch(`${own}/configmaps/a`, { metadata: { finalizers: null } }),
    get(own, { until: { status: 404 } }),
  ),
  "a waiting namespace says in conditions what it waits for": [
    create(allNamespaces, "{ns}-own"),
    post(`${own}/configmaps`, configMap("a", {}, { finalizers: ["x.io/hold"] })),
    remove(own),
    get(own, { until: { includes: "Some content in the namespace has finalizers remaining" }, fields: ["status"] }),
  ],
  "a namespace with finalizers of its own stays Terminating": [
    post(allNamespaces, { metadata: { name: "{ns}-own", finalizers: ["x.io/own"] } }),
    remove(own),
    get(own, { until: { includes: '"spec":{}' }, fields: ["spec"] }),
  ],
  "default, kube-system and kube-public cannot be deleted": wording(
    ...["default", "kube-system", "kube-public"].map((name) => remove(`${allNamespaces}/${name}`)),
  ),
  "a namespace cannot be deleted as a collection": [remove(allNamespaces)],
  "a namespace with generateName gets its label": [post(allNamespaces, { metadata: { generateName: "gen-" } })],
  "a namespace's name is a label of DNS": [create(allNamespaces, "a.b"), create(allNamespaces, "x".repeat(64))],
});
