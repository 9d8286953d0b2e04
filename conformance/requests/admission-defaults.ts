import type { JsonObject } from "@kubewright/core/json";
import {
  type Extra,
  get,
  jsonPatch,
  post,
  type RequestStep,
  remove,
  type Step,
  subject,
  wording,
} from "../test-case.js";
import { create, createSpec, patchSpec } from "./object-steps.js";
import { claims, container, deployments, pods } from "./sample-objects.js";

const ready: Step = get("/api/v1/namespaces/{ns}/serviceaccounts/default", { until: { status: 200 }, silent: true });
const given: Extra = {
  fields: [
    ...["message", "reason", "details", "code", "spec.overhead", "spec.nodeSelector", "spec.tolerations"],
    ...["spec.runtimeClassName", "spec.containers", "spec.initContainers", "metadata.labels"],
  ],
};
/** Without the volume of the token, whose name differs in every run. */
const quiet: JsonObject = { automountServiceAccountToken: false, containers: [container("main", "a:1")] };
const pod = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): RequestStep =>
  post(pods, { metadata: { name, ...metadata }, spec: { ...quiet, ...spec } }, given);

const runtimeClasses = "/apis/node.k8s.io/v1/runtimeclasses";
const runtime = (fields: JsonObject): RequestStep[] => [
  create(runtimeClasses, "{ns}", { handler: "h", ...fields }, { silent: true }),
  // The server reads classes from a cache, and then from the store.
  ready as RequestStep,
];
const ofRuntime = (name: string, spec: JsonObject = {}): RequestStep =>
  pod(name, { runtimeClassName: "{ns}", ...spec });
const overhead = { podFixed: { cpu: "250m", memory: "120Mi" } };
const toleration = (fields: JsonObject): JsonObject => ({
  key: "a",
  operator: "Exists",
  effect: "NoSchedule",
  ...fields,
});

const ingressClasses = "/apis/networking.k8s.io/v1/ingressclasses";
const ingresses = "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses";
const backend = { defaultBackend: { service: { name: "s", port: { number: 80 } } } };
const ingress = (name: string, fields: JsonObject = {}, metadata: JsonObject = {}): RequestStep =>
  post(
    ingresses,
    { metadata: { name, ...metadata }, spec: { ...backend, ...fields } },
    { fields: ["spec.ingressClassName", "message", "reason", "code"] },
  );
const isDefault = { "ingressclass.kubernetes.io/is-default-class": "true" };
const ingressClass = (name: string, annotations: JsonObject): RequestStep =>
  post(ingressClasses, { metadata: { name, annotations }, spec: { controller: "example.com/c" } }, { silent: true });

const nodes = "/api/v1/nodes";
const topology = { "topology.kubernetes.io/zone": "z", "topology.kubernetes.io/region": "r", other: "o" };
const node = (name: string, labels: JsonObject, allocatable: JsonObject = {}): RequestStep[] => [
  post(nodes, { metadata: { name, labels } }, { silent: true }),
  jsonPatch(`${nodes}/${name}/status`, [{ op: "add", path: "/status/allocatable", value: allocatable }], {
    silent: true,
  }),
];
const bind = (name: string, target: JsonObject, metadata: JsonObject = {}): RequestStep =>
  post(
    `${pods}/${name}/binding`,
    { metadata: { name, ...metadata }, target },
    { fields: ["status", "code", "message"] },
  );
const resize = (name: string, resources: JsonObject): RequestStep =>
  jsonPatch(`${pods}/${name}/resize`, [{ op: "replace", path: "/spec/containers/0/resources", value: resources }], {
    fields: ["message", "reason", "details", "code", "spec.containers"],
  });

/** What further admission plugins set and reject. */
export const admissionDefaults = subject(
  "admission-defaults",
  {
    "AlwaysPullImages sets the pull policy of every container": [
      ready,
      pod("a", {
        containers: [container("one", "a:1", { imagePullPolicy: "Never" }), container("two", "a")],
        initContainers: [container("init", "a:1", { imagePullPolicy: "IfNotPresent" })],
      }),
    ],
    "AlwaysPullImages sets the pull policy of an ephemeral container": [
      ready,
      pod("a"),
      jsonPatch(
        `${pods}/a/ephemeralcontainers`,
        [{ op: "add", path: "/spec/ephemeralContainers", value: [container("d", "a:1")] }],
        { fields: ["spec.ephemeralContainers", "code"] },
      ),
    ],
    "AlwaysPullImages sets the pull policy of an image volume": [
      ready,
      post(
        pods,
        { metadata: { name: "a" }, spec: { ...quiet, volumes: [{ name: "i", image: { reference: "r:1" } }] } },
        { fields: ["spec.volumes", "code", "message"] },
      ),
    ],
    "AlwaysPullImages concerns updates that add an image": [
      ready,
      pod("a"),
      jsonPatch(`${pods}/a`, [{ op: "replace", path: "/spec/containers/0/image", value: "a:2" }], given),
    ],
    "AlwaysPullImages leaves the templates of workloads": [
      createSpec(
        deployments,
        "a",
        {
          replicas: 0,
          selector: { matchLabels: { app: "a" } },
          template: {
            metadata: { labels: { app: "a" } },
            spec: { containers: [container("main", "a:1", { imagePullPolicy: "Never" })] },
          },
        },
        { fields: ["spec.template.spec.containers"] },
      ),
    ],
    "a pod with a RuntimeClass that does not exist is rejected": wording(
      ready,
      pod("a", { runtimeClassName: "none" }),
      pod("b", { runtimeClassName: "None!" }),
    ),
    "a pod gets the overhead of its RuntimeClass": wording(
      runtime({ overhead }),
      ofRuntime("a"),
      ofRuntime("b", { overhead: { cpu: "0.25", memory: "120Mi" } }),
      ofRuntime("c", { overhead: { cpu: "1" } }),
    ),
    "a pod sets no overhead without a RuntimeClass that defines it": wording(
      runtime({}),
      pod("a", { overhead: { cpu: "1" } }),
      ofRuntime("b", { overhead: { cpu: "1" } }),
      ofRuntime("c", { overhead: {} }),
      ofRuntime("d"),
    ),
    "a pod gets the nodeSelector of its RuntimeClass": wording(
      runtime({ scheduling: { nodeSelector: { arch: "x", disk: "y" } } }),
      ofRuntime("a"),
      ofRuntime("b", { nodeSelector: { own: "z", disk: "y" } }),
      ofRuntime("c", { nodeSelector: { disk: "other" } }),
    ),
    "a pod gets the tolerations of its RuntimeClass": wording(
      runtime({
        scheduling: { tolerations: [toleration({}), toleration({ key: "b", operator: "Equal", value: "v" })] },
      }),
      ofRuntime("a"),
      ofRuntime("b", { tolerations: [toleration({ operator: "Equal", value: "x" }), toleration({ key: "c" })] }),
      ofRuntime("c", { tolerations: [{ operator: "Exists" }] }),
      ofRuntime("d", { tolerations: [toleration({ effect: "NoExecute", tolerationSeconds: 5 })] }),
      ofRuntime("e", { tolerations: [toleration({ key: "b", effect: "" }), toleration({})] }),
    ),
    "a deleted RuntimeClass is missing for new pods": wording(
      runtime({}),
      remove(`${runtimeClasses}/{ns}`, undefined, { silent: true }),
      { ...ofRuntime("probe"), path: `${pods}?dryRun=All`, until: { status: 403 }, silent: true },
      ofRuntime("a"),
    ),
    // One case for all: a default class concerns every Ingress of the cluster.
    "an Ingress gets the default IngressClass, of several the newest": [
      ingress("none"),
      ingressClass("{ns}-a", { ...isDefault, "ingressclass.kubernetes.io/is-default-class": "false" }),
      ingressClass("{ns}-b", isDefault),
      { ...ingress("probe"), path: `${ingresses}?dryRun=All`, until: { includes: "{ns}-b" }, silent: true },
      ingress("a"),
      ingress("b", { ingressClassName: "other" }),
      ingress("c", {}, { annotations: { "kubernetes.io/ingress.class": "other" } }),
      patchSpec(`${ingresses}/none`, { rules: [{ host: "a.example.com" }] }, { fields: ["spec.ingressClassName"] }),
      remove(`${ingressClasses}/{ns}-b`, undefined, { silent: true }),
    ],
    "a pod that is created on a Node gets its zone and region": [
      ready,
      ...node("{ns}", topology),
      {
        ...pod("probe", { nodeName: "{ns}" }),
        path: `${pods}?dryRun=All`,
        until: { includes: "topology" },
        silent: true,
      },
      pod("a", { nodeName: "{ns}" }),
      pod("b", { nodeName: "{ns}" }, { labels: { app: "x", "topology.kubernetes.io/zone": "mine" } }),
      pod("c", { nodeName: "missing" }),
      pod("d"),
    ],
    "a pod that is bound to a Node gets its zone and region": [
      ready,
      ...node("{ns}", topology),
      {
        ...pod("probe", { nodeName: "{ns}" }),
        path: `${pods}?dryRun=All`,
        until: { includes: "topology" },
        silent: true,
      },
      pod("a"),
      bind("a", { kind: "Node", name: "{ns}" }),
      get(`${pods}/a`, { fields: ["metadata.labels", "spec.nodeName"] }),
      pod("b"),
      bind("b", { name: "{ns}" }),
      get(`${pods}/b`, { fields: ["metadata.labels", "spec.nodeName"] }),
      pod("c", {}, { labels: { app: "x" } }),
      bind("c", { kind: "Node", name: "{ns}" }, { labels: { "topology.kubernetes.io/zone": "mine", more: "m" } }),
      get(`${pods}/c`, { fields: ["metadata.labels", "spec.nodeName"] }),
    ],
    "a pod is resized only within the allocatable resources of its Node": wording(
      ready,
      ...node("{ns}", { "kubernetes.io/os": "linux" }, { cpu: "2", memory: "1Gi", pods: "10" }),
      pod("a", {
        nodeName: "{ns}",
        containers: [container("main", "a:1", { resources: { requests: { cpu: "1", memory: "100Mi" } } })],
      }),
      resize("a", { requests: { cpu: "1500m", memory: "200Mi" } }),
      resize("a", { requests: { cpu: "3", memory: "200Mi" } }),
      resize("a", { requests: { cpu: "3", memory: "2Gi" } }),
    ),
    "a pod is resized only on a Linux Node": wording(
      ready,
      ...node("{ns}", { "kubernetes.io/os": "windows" }, { cpu: "2" }),
      pod("a", {
        nodeName: "{ns}",
        containers: [container("main", "a:1", { resources: { requests: { cpu: "1" } } })],
      }),
      resize("a", { requests: { cpu: "1500m" } }),
    ),
    "a pod on a Node that does not exist is not resized": wording(
      ready,
      pod("a", {
        nodeName: "missing",
        containers: [container("main", "a:1", { resources: { requests: { cpu: "1" } } })],
      }),
      resize("a", { requests: { cpu: "1500m" } }),
    ),
    "a pod without a Node is resized without a check": wording(
      ready,
      pod("a", { containers: [container("main", "a:1", { resources: { requests: { cpu: "1" } } })] }),
      resize("a", { requests: { cpu: "100" } }),
    ),
    "new pods tolerate an unready Node for five minutes, unless they say otherwise": [
      ready,
      pod("a"),
      pod("b", { tolerations: [toleration({ key: "node.kubernetes.io/not-ready", effect: "NoExecute" })] }),
      pod("c", { tolerations: [{ operator: "Exists" }] }),
      pod("d", { tolerations: [toleration({ key: "node.kubernetes.io/unreachable", effect: "" })] }),
    ],
    "new Nodes are tainted as not ready": [
      post(nodes, { metadata: { name: "{ns}" } }, { fields: ["spec.taints"] }),
      post(
        nodes,
        { metadata: { name: "{ns}-x" }, spec: { taints: [{ key: "a", effect: "NoExecute" }] } },
        { fields: ["spec.taints"] },
      ),
      post(
        nodes,
        {
          metadata: { name: "{ns}-y" },
          spec: { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] },
        },
        { fields: ["spec.taints"] },
      ),
    ],
    "a bound PersistentVolumeClaim grows only if its StorageClass allows it": wording(
      ...["fixed", "growing"].flatMap((name) => [
        post(
          "/apis/storage.k8s.io/v1/storageclasses",
          {
            metadata: { name: `{ns}-${name}` },
            provisioner: "p.example.com",
            allowVolumeExpansion: name === "growing",
          },
          { silent: true },
        ),
        createSpec(
          claims,
          name,
          {
            storageClassName: `{ns}-${name}`,
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: "1Gi" } },
            volumeName: "v",
          },
          { silent: true },
        ),
        jsonPatch(`${claims}/${name}/status`, [{ op: "replace", path: "/status/phase", value: "Bound" }], {
          silent: true,
        }),
        patchSpec(
          `${claims}/${name}`,
          { resources: { requests: { storage: "2Gi" } } },
          { fields: ["spec.resources", "message", "reason", "code"] },
        ),
      ]),
    ),
  },
  "admission",
);
