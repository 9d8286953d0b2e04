import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, type RequestStep, remove, subject } from "../test-case.js";
import { create, createSpec, patchSpec, patchStatus, replace } from "./object-steps.js";
import { claims, leases } from "./sample-objects.js";

const core = "/api/v1/namespaces/{ns}";
const statefulSets = "/apis/apps/v1/namespaces/{ns}/statefulsets";
const daemonSets = "/apis/apps/v1/namespaces/{ns}/daemonsets";
const controllers = `${core}/replicationcontrollers`;
const jobs = "/apis/batch/v1/namespaces/{ns}/jobs";
const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";
const slices = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices";
const nodes = "/api/v1/nodes";
const storage = "/apis/storage.k8s.io/v1";
const admission = "/apis/admissionregistration.k8s.io/v1";
const main = { name: "main", image: "nginx" };
const toleration = { key: "k", operator: "Exists" };

const template = (spec: JsonObject): JsonObject => ({
  metadata: { labels: { app: "a" } },
  spec: { containers: [main], ...spec },
});
const workload = (spec: JsonObject = {}): JsonObject => ({
  selector: { matchLabels: { app: "a" } },
  template: template({}),
  ...spec,
});
const job = (spec: JsonObject): JsonObject => ({
  template: { spec: { restartPolicy: "Never", containers: [main] } },
  ...spec,
});

/** A dry run of a create with these fields. */
const tryFields = (path: string, name: string, fields?: JsonObject): RequestStep =>
  create(`${path}?dryRun=All`, name, fields);
/** A dry run of a create with this spec. */
const tryOut = (path: string, name: string, spec: JsonObject): RequestStep => tryFields(path, name, { spec });
/** A dry run of a PodTemplate. */
const tryPods = (spec: JsonObject): RequestStep => tryFields(`${core}/podtemplates`, "t", { template: template(spec) });
const tryJob = (spec: JsonObject): RequestStep => tryOut(jobs, "a", job(spec));

/** Rare errors in objects of built-in kinds, found by fuzzing valid objects. */
export const fuzzedKinds = subject("kinds-fuzzed", {
  "every volume source is validated": [
    tryPods({
      volumes: [
        { name: "a", iscsi: { targetPortal: "p", iqn: "x", lun: 300, chapAuthSession: true, initiatorName: "iqn.x" } },
        { name: "b", fc: { targetWWNs: ["a"], wwids: ["b"] } },
        { name: "c", quobyte: { registry: "x" } },
        { name: "d", flocker: { datasetName: "a/b", datasetUUID: "u" } },
        { name: "e", azureDisk: { diskName: "n", diskURI: "u", kind: "Odd", cachingMode: "Odd" } },
        { name: "f", storageos: { volumeName: "UPPER", volumeNamespace: "a.b", secretRef: {} } },
        { name: "g", gcePersistentDisk: { pdName: "", partition: 300 } },
        { name: "h", flexVolume: { driver: "", options: { "x.kubernetes.io/y": "z" } } },
        { name: "i", rbd: {}, cephfs: {}, downwardAPI: {} },
        { name: "j", csi: { driver: "UPPER_", nodePublishSecretRef: { name: "UPPER" } } },
      ],
    }),
    tryPods({
      volumes: [
        {
          name: "a",
          ephemeral: {
            volumeClaimTemplate: {
              metadata: { name: "n", labels: { "bad key": "x" } },
              spec: { accessModes: ["ReadWriteOncePod", "ReadWriteOnce"], resources: { requests: { storage: "0" } } },
            },
          },
        },
      ],
    }),
    tryOut("/api/v1/persistentvolumes", "{ns}", {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      csi: { driver: "d", volumeHandle: "h", nodePublishSecretRef: { name: "UPPER" } },
      glusterfs: { endpoints: "e", path: "p", endpointsNamespace: "" },
      volumeAttributesClassName: "",
    }),
  ],
  "fields of one operating system are rejected for the other": [
    tryPods({
      os: { name: "windows" },
      hostPID: true,
      securityContext: { runAsUser: 1, windowsOptions: { runAsUserName: "a\\b\\c", hostProcess: true } },
      containers: [
        { ...main, securityContext: { privileged: true, windowsOptions: { hostProcess: false, runAsUserName: ".." } } },
      ],
    }),
    tryPods({ os: { name: "linux" }, securityContext: { windowsOptions: { gmsaCredentialSpecName: "UPPER" } } }),
  ],
  "pod-level resources and resource claims are validated": [
    tryPods({
      resourceClaims: [{ name: "a" }, { name: "a", resourceClaimName: "x", resourceClaimTemplateName: "y" }],
      resources: { claims: [{ name: "a" }], requests: { cpu: "1", "example.com/x": "1" }, limits: { cpu: "2" } },
      containers: [
        {
          ...main,
          resources: {
            claims: [{ name: "a", request: "r" }, { name: "a" }, { name: "none" }],
            requests: { cpu: "3" },
            limits: { cpu: "3", "hugepages-2Mi": "3Mi" },
          },
          resizePolicy: [{ resourceName: "odd", restartPolicy: "Odd" }],
        },
      ],
    }),
    tryPods({ containers: [{ ...main, resources: { limits: { cpu: "1u", memory: "100.0001" } } }] }),
  ],
  "image names, host IPs and volume paths are validated as on a real server": [
    tryPods({
      containers: ["UPPER", "nginx@sha256:1", "a b", "localhost:5000/x", "example.com/a:latest"].map(
        (image, index) => ({ name: `c${index}`, image, ports: [{ containerPort: 80, hostIP: "10.0.0.1" }] }),
      ),
    }),
    tryPods({
      volumes: [
        {
          name: "c",
          configMap: { name: "c", items: Object.entries({ a: "p", b: "p/q" }).map(([key, path]) => ({ key, path })) },
        },
      ],
    }),
  ],
  "times are parsed as in Go": [
    ...["2026-01-01", "2026-02-30T00:00:00Z"].map((time) =>
      post(`${leases}?dryRun=All`, { metadata: { name: "l", creationTimestamp: time }, spec: {} }),
    ),
    tryOut(leases, "l", { renewTime: "2026-01-01T00:00:00Z" }),
  ],
  "fuzzed workloads are validated": [
    createSpec(statefulSets, "a", workload({ ordinals: {}, revisionHistoryLimit: -1 })),
    replace(statefulSets, "a", {
      spec: workload({ updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 2 } } }),
    }),
    patchSpec(`${statefulSets}/a`, { updateStrategy: { type: "Odd" } }),
    patchSpec(`${statefulSets}/a`, { template: { metadata: { annotations: { "bad key": "x" } } } }),
    mergePatch(`${statefulSets}/a`, {}),
    createSpec(daemonSets, "a", workload({ updateStrategy: { type: "OnDelete", rollingUpdate: {} } })),
    put(`${daemonSets}/a/status`, { metadata: { name: "a" }, spec: workload(), status: { numberReady: 1 } }),
    patchSpec(`${daemonSets}/a`, { selector: { matchExpressions: [{ key: "app", operator: "In", values: ["a"] }] } }),
    createSpec(controllers, "a", { template: template({}) }),
    put(`${controllers}/a/status`, { metadata: { name: "a" }, status: { replicas: 1 } }),
    patchSpec(`${controllers}/a`, { selector: { "bad key": "two words" } }),
    get(`${controllers}/a`),
  ],
  "a fuzzed Job is validated": [
    createSpec(jobs, "a", job({ completionMode: "Indexed", completions: 3, parallelism: 3, backoffLimitPerIndex: 1 })),
    patchSpec(`${jobs}/a`, { template: { metadata: { labels: null } } }),
    patchStatus(`${jobs}/a`, { completedIndexes: "0,7", failedIndexes: "1-0", ready: 5 }),
    patchStatus(`${jobs}/a`, { completedIndexes: "0-1", failedIndexes: "1", active: 1 }),
    patchStatus(`${jobs}/a`, { failed: 2, uncountedTerminatedPods: { succeeded: ["u", ""], failed: ["u"] } }),
    patchStatus(`${jobs}/a`, { failed: 2, startTime: "2026-01-01T00:00:00Z" }),
    patchStatus(`${jobs}/a`, { failed: 1, startTime: null }),
    put(`${jobs}/a/status`, { metadata: { name: "a" }, status: { failed: 2 } }),
    tryJob({
      managedBy: "odd",
      completionMode: "Indexed",
      completions: 5,
      successPolicy: {
        rules: [
          { succeededIndexes: "3-1", succeededCount: -1 },
          { succeededIndexes: "0", succeededCount: 2 },
        ],
      },
      podFailurePolicy: { rules: [] },
    }),
    tryJob({ completionMode: "Indexed", completions: 200_000, parallelism: 20_000, backoffLimitPerIndex: 1 }),
  ],
  "a suspended Job may change its pods' resources": [
    createSpec(jobs, "a", job({ suspend: true })),
    patchSpec(`${jobs}/a`, {
      template: { spec: { containers: [{ ...main, resources: { limits: { cpu: "1" } } }], nodeSelector: { a: "b" } } },
    }),
    patchSpec(
      `${jobs}/a?dryRun=All`,
      { template: { spec: { containers: [{ ...main, image: "x" }] } } },
      { fields: ["status", "reason"] },
    ),
  ],
  "fuzzed storage objects are validated": [
    tryFields(`${storage}/storageclasses`, "{ns}", {
      provisioner: "p",
      allowedTopologies: [{}, { matchLabelExpressions: [] }],
    }),
    tryOut(`${storage}/volumeattachments`, "{ns}", {
      attacher: "d",
      nodeName: "n",
      source: {
        inlineVolumeSpec: {
          capacity: { storage: "1Gi" },
          accessModes: ["ReadWriteOnce"],
          persistentVolumeReclaimPolicy: "Delete",
          storageClassName: "c",
          volumeMode: "Block",
          nfs: { server: "s", path: "p" },
        },
      },
    }),
    create(
      `${storage}/volumeattributesclasses`,
      "{ns}",
      { driverName: "D", parameters: { a: "b" } },
      { fields: ["driverName", "parameters"] },
    ),
    mergePatch(`${storage}/volumeattributesclasses/{ns}`, { driverName: "E", parameters: { "": "x" } }),
    createSpec(`${storage}/csidrivers`, "{ns}", {}),
    patchSpec(`${storage}/csidrivers/{ns}`, { requiresRepublish: true }),
    createSpec(
      claims,
      "a",
      {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        dataSourceRef: { kind: "PersistentVolumeClaim", name: "x", namespace: "other" },
      },
      { fields: ["spec", "status"] },
    ),
    patchStatus(`${claims}/a`, {
      capacity: { storage: "-1" },
      allocatedResources: { cpu: "1" },
      allocatedResourceStatuses: { storage: "Odd" },
    }),
  ],
  "fuzzed network objects are validated": [
    create(slices, "a", { addressType: "FQDN", endpoints: [{ addresses: ["x"] }] }),
    tryFields(slices, "a", {
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.1.0.1"], deprecatedTopology: { "bad key": "x" } }],
    }),
    tryOut("/apis/networking.k8s.io/v1/ingressclasses", "{ns}", {
      controller: "a.b/c d",
      parameters: { kind: "K", name: "n", scope: "", namespace: "x" },
    }),
    createSpec(budgets, "a", { selector: { matchLabels: { a: "b" } } }),
    patchStatus(`${budgets}/a`, {
      conditions: [{ type: "bad type", status: "Odd", reason: "-", observedGeneration: -1 }],
    }),
    tryOut("/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers", "a", {
      scaleTargetRef: { kind: "D", name: "d" },
      maxReplicas: 2,
      metrics: [
        {
          type: "ContainerResource",
          containerResource: { name: "m", container: "A", target: { type: "AverageValue", averageValue: "1" } },
        },
      ],
    }),
  ],
  "fuzzed nodes, namespaces and other cluster objects are validated": [
    tryOut("/api/v1/namespaces", "{ns}-x", { finalizers: ["odd", "a/b"] }),
    patchStatus("/api/v1/namespaces/{ns}", { phase: "Terminating" }),
    createSpec(nodes, "{ns}", { configSource: {}, podCIDRs: ["10.3.0.0/24", "fd00:3::/64"] }),
    patchSpec(`${nodes}/{ns}`, { podCIDRs: ["10.4.0.0/24", "x"] }),
    patchStatus(`${nodes}/{ns}`, { declaredFeatures: ["B", "A", "a b"], config: {}, capacity: { pods: "1.5" } }),
    remove(`${nodes}/{ns}`, undefined, { silent: true }),
    tryFields("/apis/node.k8s.io/v1/runtimeclasses", "{ns}", {
      handler: "h",
      scheduling: { tolerations: [toleration, toleration] },
      overhead: { podFixed: { cpu: "1u" } },
    }),
    tryFields(`${core}/serviceaccounts`, "a", { secrets: [{ name: "s", kind: "K" }] }),
    tryFields("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", "a", { rules: [] }),
    tryFields("/apis/scheduling.k8s.io/v1/priorityclasses", "{ns}"),
  ],
  "fuzzed admission, flow control and quota objects are validated": [
    tryFields(`${admission}/validatingwebhookconfigurations`, "{ns}", {
      webhooks: [
        {
          name: "a.example.com",
          clientConfig: { service: { name: "s", namespace: "n", path: "x" }, caBundle: "" },
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          failurePolicy: "",
          matchPolicy: "",
        },
      ],
    }),
    tryOut(`${admission}/mutatingadmissionpolicybindings`, "{ns}", {
      policyName: "p",
      matchResources: {
        matchPolicy: "",
        resourceRules: [{ operations: ["DELETE"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
      },
    }),
    tryOut("/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations", "{ns}", {
      type: "Limited",
      limited: { limitResponse: { type: "Queue", queuing: { queues: 65_536, handSize: 8, queueLengthLimit: 1 } } },
    }),
    tryOut("/apis/certificates.k8s.io/v1/certificatesigningrequests", "{ns}", {
      request: "eA==",
      signerName: "UPPER.x/a_b",
      usages: ["any", "any"],
    }),
    tryOut(`${core}/resourcequotas`, "a", { hard: { cpu: "2", "limits.cpu": "1" } }),
    tryOut(`${core}/limitranges`, "a", {
      limits: [{ type: "Container", default: { "example.com/x": "2" }, defaultRequest: { "example.com/x": "1" } }],
    }),
    tryFields(`${storage}/storageclasses`, "{ns}", { provisioner: "p", volumeBindingMode: "", reclaimPolicy: "" }),
  ],
});
