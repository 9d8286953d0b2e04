import type { JsonObject } from "@kubewright/core/json";
import {
  apply,
  get,
  jsonPatch,
  mergePatch,
  post,
  type RequestStep,
  remove,
  strategicPatch,
  subject,
  wording,
} from "../test-case.js";
import { fullPodSpec } from "./full-pod.js";
import { create, createSpec, getTable, patchSpec, patchStatus, replace } from "./object-steps.js";
import { container, object, pods } from "./sample-objects.js";

const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
const templates = "/api/v1/namespaces/{ns}/podtemplates";
const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";

/** Creates a pod with one container; `spec` adds to it. */
function createPod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): RequestStep {
  const containers = [{ name: "main", image: "nginx" }];
  return post(pods, { metadata: { name, ...metadata }, spec: { containers, ...spec } });
}

/** Creates a pod whose container has these additional fields. */
function createWith(container: JsonObject): RequestStep {
  return createPod("p", { containers: [{ name: "main", image: "nginx:1", ...container }] });
}

/** The status of a container. */
const status = (name: string, { ready = false, restartCount = 0, ...state }: JsonObject): JsonObject => ({
  name,
  image: "x",
  imageID: "",
  ready,
  restartCount,
  ...state,
});
const run = { exec: { command: ["a"] } };
const spread = { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" };
const wrong: JsonObject = {
  restartPolicy: "Sometimes",
  dnsPolicy: "Odd",
  activeDeadlineSeconds: 0,
  hostname: "A",
  subdomain: "b.c",
  hostAliases: [{ ip: "x", hostnames: ["Bad_"] }],
};
/** Writes a status, and gets the pod as a Table. */
const show = (fields: JsonObject): RequestStep[] => [patchStatus(`${pods}/p`, fields), getTable(`${pods}/p`)];

/** Defaults and validation of pods. */
export const podKinds = subject("kinds-pods", {
  "a minimal Pod gets its defaults": [
    createPod("p"),
    get(`${pods}/p`),
    getTable(pods),
    getTable(`${pods}/p`),
    get(`${pods}?fieldSelector=spec.nodeName=,status.phase=Pending`),
    get(`${pods}?fieldSelector=spec.hostNetwork=true`),
  ],
  "a full Pod gets the defaults of each part": [
    createPod("p", fullPodSpec, { labels: { app: "p" }, annotations: { a: "b" } }),
    apply(
      `${pods}/q?fieldManager=me`,
      object("v1", "Pod", "q", {
        spec: { containers: [{ name: "a", image: "b", resources: { limits: { cpu: "1" } } }] },
      }),
    ),
  ],
  "the containers of a Pod are validated": wording(
    create(pods, "p"),
    createPod("p", { containers: [] }),
    createPod("p", { containers: [container("A_", ""), container("a", "x"), container("a", "y")] }),
    createWith({ imagePullPolicy: "Sometimes", terminationMessagePolicy: "Never" }),
    createWith({
      ports: [
        { containerPort: 0 },
        { containerPort: 70000, name: "UPPER" },
        { containerPort: 80, name: "a" },
        { containerPort: 81, name: "a" },
        { containerPort: 82, name: "waytoolongportname", protocol: "HTTP" },
        { containerPort: 83, hostPort: 99999 },
        { containerPort: 84, name: "9-" },
      ],
    }),
    createWith({ ports: [1, 2].map((containerPort) => ({ containerPort, hostPort: 1 })) }),
    createWith({ image: " nginx " }),
    createWith({ restartPolicy: "Sometimes" }),
    createPod("p", { ephemeralContainers: [{ name: "e", image: "x" }] }),
    createPod("Bad_Name"),
  ),
  "the init containers of a Pod are validated": wording(
    createPod("p", { initContainers: [{ name: "main", image: "x" }] }),
    createPod("p", { initContainers: [container("i", "x", { livenessProbe: run, lifecycle: { preStop: run } })] }),
    createPod("p", { initContainers: [{ name: "i", image: "x", restartPolicy: "Often" }] }),
    createPod("ok", { initContainers: [container("i", "x", { restartPolicy: "Always", livenessProbe: run })] }),
    getTable(`${pods}/ok`),
  ),
  "the environment variables of a Pod are validated": wording(
    createWith({ env: [{ name: "" }, { name: "a=b" }, { name: "ok-1", value: "x" }] }),
    createWith({ env: [{ name: "A", valueFrom: {} }] }),
    createWith({
      env: [
        { name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        { name: "B", valueFrom: { fieldRef: { fieldPath: "spec.nothing" } } },
        { name: "C", valueFrom: { fieldRef: { fieldPath: "metadata.labels" } } },
        { name: "D", valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } },
        { name: "E", valueFrom: { fieldRef: { fieldPath: "" } } },
        { name: "F", valueFrom: { resourceFieldRef: { resource: "limits.gpu" } } },
        { name: "G", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "5" } } },
        { name: "H", valueFrom: { configMapKeyRef: { name: "", key: "" } } },
        { name: "I", valueFrom: { secretKeyRef: { name: "s", key: "a b" }, configMapKeyRef: { name: "c", key: "k" } } },
      ],
    }),
    createWith({ envFrom: [{}, { prefix: "=", configMapRef: { name: "" }, secretRef: { name: "S" } }] }),
    createWith({ env: ["1", "2"].map((value) => ({ name: "A", value })) }),
  ),
  "the probes and lifecycle hooks of a Pod are validated": wording(
    createWith({ livenessProbe: {} }),
    createWith({
      livenessProbe: { exec: { command: [] }, periodSeconds: -1, successThreshold: 2 },
      readinessProbe: {
        httpGet: { port: 0, scheme: "FTP", httpHeaders: [{ name: "a b", value: "" }] },
        terminationGracePeriodSeconds: 3,
      },
      startupProbe: { tcpSocket: { port: "nope!" }, grpc: { port: 70000 }, failureThreshold: -2 },
      lifecycle: { postStart: {}, preStop: { sleep: { seconds: 99 } }, stopSignal: "SIGTERM" },
    }),
    createWith({ livenessProbe: { ...run, terminationGracePeriodSeconds: 0 } }),
  ),
  "the resources of a Pod are validated": wording(
    createWith({ resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }),
    createWith({ resources: { requests: { cpu: "-1" } } }),
    createWith({ resources: { limits: { cpus: "1" } } }),
    createWith({ resources: { limits: { "a/b/c": "1" } } }),
    createWith({ resources: { requests: { "example.com/gpu": "1" } } }),
    createWith({ resources: { limits: { "example.com/gpu": "1500m" } } }),
    createWith({ resources: { limits: { "hugepages-2Mi": "2Mi" } } }),
    createWith({ resources: { limits: { cpu: "lots" } } }),
    createWith({ resources: { limits: { cpu: "1", memory: "1Gi" } } }),
    get(`${pods}/p`),
  ),
  "the volumes of a Pod are validated": wording(
    createPod("p", {
      volumes: [
        { name: "A" },
        { name: "a", emptyDir: {}, hostPath: { path: "/x" } },
        { name: "b", hostPath: { path: "/a/../b", type: "Odd" } },
        { name: "c", secret: {} },
        {
          name: "d",
          configMap: {
            name: "",
            defaultMode: 4096,
            items: Object.entries({ "": "/abs", k: "../x" }).map(([key, path]) => ({ key, path })),
          },
        },
        { name: "e", persistentVolumeClaim: { claimName: "" } },
        { name: "f", nfs: { server: "", path: "rel" } },
        { name: "g", downwardAPI: { items: [{ path: "", fieldRef: { fieldPath: "status.podIP" } }, { path: "x" }] } },
        { name: "h", projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 1 } }] } },
        { name: "i", csi: { driver: "" } },
        { name: "j", ephemeral: {} },
        { name: "k", emptyDir: { sizeLimit: "-1" } },
        { name: "l", emptyDir: {} },
        { name: "l", emptyDir: {} },
        { emptyDir: {} },
      ],
    }),
    createPod("p", {
      volumes: [{ name: "v" }],
      containers: [
        container("main", "x", {
          volumeMounts: [
            { name: "v", mountPath: "/a" },
            { name: "v", mountPath: "/a", subPath: "/abs" },
            { name: "none", mountPath: "" },
            { name: "v", mountPath: "/b", subPath: "../x", mountPropagation: "Bidirectional" },
            { name: "v", mountPath: "/c", mountPropagation: "Odd", recursiveReadOnly: "Enabled" },
            { name: "", mountPath: "/d", subPath: "a", subPathExpr: "b" },
          ],
          volumeDevices: [
            { name: "v", devicePath: "/dev/x" },
            { name: "no", devicePath: "" },
          ],
        }),
      ],
    }),
  ),
  "scheduling constraints of a Pod are validated": wording(
    createPod("p", {
      nodeSelector: { "a b": "c d" },
      nodeName: "Bad_",
      tolerations: [
        { value: "x" },
        { key: "a", operator: "Exists", value: "b" },
        { key: "a", operator: "Odd" },
        { key: "a", effect: "Odd", tolerationSeconds: 3 },
        { key: "a", value: "b c" },
      ],
      topologySpreadConstraints: [
        { maxSkew: 0, topologyKey: "", whenUnsatisfiable: "Odd", minDomains: 0 },
        { ...spread, labelSelector: { matchExpressions: [{ key: "a", operator: "Odd" }] } },
        { ...spread, matchLabelKeys: ["a"], nodeTaintsPolicy: "Odd" },
      ],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] },
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 0,
              preference: {
                matchExpressions: [
                  { key: "a", operator: "In" },
                  { key: "a", operator: "Gt", values: ["1", "2"] },
                ],
                matchFields: [{ key: "x", operator: "In", values: ["a"] }],
              },
            },
          ],
        },
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "", namespaces: ["Bad_"] }],
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, podAffinityTerm: { topologyKey: "a b" } }],
        },
      },
      readinessGates: [{ conditionType: "a b" }],
      schedulingGates: [{ name: "a" }, { name: "a" }],
    }),
    createPod("p", { schedulingGates: [{ name: "a.b/c" }], nodeName: "n" }),
    createPod("gated", { schedulingGates: [{ name: "a.b/c" }] }),
    getTable(`${pods}/gated`),
  ),
  "other fields of a Pod are validated": wording(
    createPod("p", {
      ...wrong,
      serviceAccountName: "Bad_",
      priorityClassName: "",
      runtimeClassName: "Bad_",
      preemptionPolicy: "Never",
      os: { name: "dos" },
    }),
    createPod("p", wrong),
    createPod("p", { dnsPolicy: "None" }),
    createPod("p", { dnsPolicy: "None", dnsConfig: { nameservers: [] } }),
    createPod("p", {
      dnsConfig: { nameservers: ["1.1.1.1", "x", "2.2.2.2", "3.3.3.3"], searches: ["Bad!"], options: [{}] },
    }),
    createPod("p", { os: { name: "dos" } }),
    createPod("p", {
      hostNetwork: true,
      containers: [{ name: "a", image: "b", ports: [{ containerPort: 1, hostPort: 2 }] }],
    }),
    createPod("host", { hostNetwork: true, containers: [{ name: "a", image: "b", ports: [{ containerPort: 1 }] }] }),
    createPod("p", {
      securityContext: {
        runAsUser: -1,
        runAsGroup: -2,
        fsGroup: -3,
        supplementalGroups: [-4],
        seccompProfile: { type: "Localhost" },
        fsGroupChangePolicy: "Odd",
        sysctls: Object.entries({ "Bad!": "1", "": "" }).map(([name, value]) => ({ name, value })),
      },
      shareProcessNamespace: true,
      hostPID: true,
    }),
    createWith({
      securityContext: {
        runAsUser: -1,
        procMount: "Odd",
        seccompProfile: { type: "Odd" },
        appArmorProfile: { type: "Localhost" },
      },
    }),
    createPod("p", {}, { annotations: { "controller.kubernetes.io/pod-deletion-cost": "much" } }),
  ),
  "the priority of a Pod comes from its PriorityClass": wording(
    get(`${classes}/system-cluster-critical`),
    get(`${classes}/system-node-critical`),
    create(classes, "{ns}-high", { value: 1000 }),
    createPod("a", { priorityClassName: "{ns}-high" }),
    createPod("b", { priorityClassName: "no-such" }),
    createPod("c", { priority: 7 }),
    createPod("d", { priorityClassName: "{ns}-high", preemptionPolicy: "Never" }),
    remove(`${classes}/{ns}-high`),
  ),
  "few fields of a Pod's spec are mutable": [
    createPod("p", { activeDeadlineSeconds: 100 }),
    strategicPatch(`${pods}/p`, { spec: { containers: [{ name: "main", image: "nginx:2" }] } }),
    patchSpec(`${pods}/p`, { activeDeadlineSeconds: 50 }),
    patchSpec(`${pods}/p`, { activeDeadlineSeconds: 500 }),
    patchSpec(`${pods}/p`, { activeDeadlineSeconds: null }),
    patchSpec(`${pods}/p`, { tolerations: [] }),
    jsonPatch(`${pods}/p`, [{ op: "add", path: "/spec/tolerations/-", value: { key: "new", operator: "Exists" } }]),
    jsonPatch(`${pods}/p`, [{ op: "add", path: "/spec/containers/-", value: { name: "b", image: "c" } }]),
    jsonPatch(`${pods}/p`, [{ op: "replace", path: "/spec/containers/0/image", value: "" }]),
    patchSpec(`${pods}/p`, { schedulingGates: [{ name: "late" }] }),
    patchSpec(`${pods}/p`, { nodeName: "n" }),
    mergePatch(`${pods}/p`, { metadata: { labels: { a: "b" } } }),
  ],
  "the status of a Pod is a subresource and appears in the Table": wording(
    createPod("p", {
      nodeName: "n",
      initContainers: [{ name: "i", image: "x" }],
      readinessGates: [{ conditionType: "a/b" }],
    }),
    show({ phase: "Pending", initContainerStatuses: [status("i", { state: { running: {} } })] }),
    show({
      phase: "Running",
      podIP: "10.0.0.9",
      podIPs: [{ ip: "10.0.0.9" }],
      hostIP: "10.0.0.1",
      conditions: ["Ready", "a/b", "Initialized"].map((type) => ({ type, status: "True" })),
      initContainerStatuses: [
        status("i", { ready: true, state: { terminated: { exitCode: 0, reason: "Completed" } } }),
      ],
      containerStatuses: [status("main", { ready: true, state: { running: {} } })],
    }),
    show({
      containerStatuses: [
        status("main", {
          restartCount: 4,
          state: { waiting: { reason: "CrashLoopBackOff" } },
          lastState: { terminated: { exitCode: 1 } },
        }),
      ],
    }),
    show({
      phase: "Failed",
      reason: "",
      containerStatuses: [status("main", { state: { terminated: { exitCode: 137, signal: 9 } } })],
    }),
    show({ phase: "Failed", reason: "Evicted", containerStatuses: null }),
    patchStatus(`${pods}/p`, { qosClass: "Guaranteed" }),
    patchStatus(`${pods}/p`, { conditions: [{ type: "a b", status: "True" }] }),
    patchStatus(`${pods}/p`, { podIPs: [{ ip: "x" }], hostIPs: [{ ip: "10.0.0.2" }] }),
    mergePatch(`${pods}/p/status`, { spec: { nodeName: "other" }, metadata: { labels: { x: "y" } } }),
    mergePatch(`${pods}/p`, { status: { phase: "Running" } }),
  ),
  "a Pod is deleted gracefully": wording(
    createPod("free"),
    remove(`${pods}/free`),
    get(`${pods}/free`),
    createPod("p", { nodeName: "n" }),
    remove(`${pods}/p`),
    getTable(`${pods}/p`),
    remove(`${pods}/p`),
    remove(`${pods}/p`, { gracePeriodSeconds: 60 }),
    remove(`${pods}/p`, { gracePeriodSeconds: 5 }),
    remove(`${pods}/p?gracePeriodSeconds=0`),
    get(`${pods}/p`),
    createPod("done", { nodeName: "n" }, { finalizers: ["a.b/c"] }),
    patchStatus(`${pods}/done`, { phase: "Succeeded" }),
    remove(`${pods}/done`),
    mergePatch(`${pods}/done`, { metadata: { finalizers: null } }),
    createPod("neg", { nodeName: "n", terminationGracePeriodSeconds: -5 }),
    remove(`${pods}/neg`),
  ),
  "a Pod is bound to a node": wording(
    createPod("p"),
    create(`${pods}/p/binding`, "p", { target: {} }),
    create(`${pods}/p/binding`, "q", { target: { kind: "Node", name: "n" } }),
    create(`${pods}/p/binding`, "p", { target: { kind: "Pod", name: "n" } }),
    create(`${pods}/no/binding`, "no", { target: { kind: "Node", name: "n" } }),
    post(`${pods}/p/binding`, {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "p", annotations: { a: "b" } },
      target: { apiVersion: "v1", kind: "Node", name: "n" },
    }),
    get(`${pods}/p`),
    create(`${pods}/p/binding`, "p", { target: { kind: "Node", name: "m" } }),
    get(`${pods}/p/binding`),
    createPod("gated", { schedulingGates: [{ name: "a" }] }),
    create(`${pods}/gated/binding`, "gated", { target: { kind: "Node", name: "m" } }),
  ),
  "an eviction respects the PodDisruptionBudget": wording(
    createPod("free"),
    create(`${pods}/free/eviction`, "other"),
    create(`${pods}/free/eviction`, "free"),
    get(`${pods}/free`),
    createSpec(budgets, "b", { minAvailable: 1, selector: { matchLabels: { app: "a" } } }),
    createPod("p", { nodeName: "n" }, { labels: { app: "a" } }),
    patchStatus(`${pods}/p`, { phase: "Running", conditions: [{ type: "Ready", status: "True" }] }),
    post(`${pods}/p/eviction`, object("policy/v1", "Eviction", "p")),
    patchStatus(`${budgets}/b`, { observedGeneration: 1, desiredHealthy: 1, currentHealthy: 1, expectedPods: 1 }),
    post(`${pods}/p/eviction`, object("policy/v1", "Eviction", "p")),
    patchStatus(`${budgets}/b`, { disruptionsAllowed: 2, currentHealthy: 3 }),
    post(`${pods}/p/eviction`, object("policy/v1", "Eviction", "p")),
    get(`${pods}/p`),
    get(`${budgets}/b`),
  ),
  "ephemeral containers are added through the ephemeralcontainers subresource": [
    createPod("p"),
    patchSpec(`${pods}/p`, { ephemeralContainers: [{ name: "e", image: "x" }] }),
    strategicPatch(`${pods}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "e", image: "x", targetContainerName: "main" }] },
    }),
    strategicPatch(`${pods}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "main", image: "x", ports: [{ containerPort: 1 }] }] },
    }),
    patchSpec(`${pods}/p/ephemeralcontainers`, { ephemeralContainers: [] }),
    get(`${pods}/p/ephemeralcontainers`),
  ],
  "a PodTemplate is validated": wording(
    create(templates, "t", {
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "a", image: "b", resources: { limits: { cpu: "1" } } }] },
      },
    }),
    getTable(templates),
    create(templates, "u", {
      template: { metadata: { labels: { "a b": "c" }, annotations: { "x y": "z" } }, spec: { containers: [] } },
    }),
    mergePatch(`${templates}/t`, { template: { metadata: { labels: { c: "d" } } } }),
    replace(templates, "t", { template: { spec: { containers: [{ name: "z", image: "y" }] } } }),
    remove(`${templates}/t`),
  ),
});
