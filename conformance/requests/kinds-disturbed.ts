import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, type RequestStep, remove, type Subject, subject, testCase } from "../test-case.js";
import { create, createSpec, patchSpec, patchStatus } from "./object-steps.js";

const apps = "/apis/apps/v1/namespaces/{ns}";
const core = "/api/v1/namespaces/{ns}";
const main = { name: "main", image: "nginx" };

function template(spec: JsonObject): JsonObject {
  return { metadata: { labels: { app: "a" } }, spec: { containers: [main], ...spec } };
}

function workload(more: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  return {
    metadata: { name: "a" },
    spec: { selector: { matchLabels: { app: "a" } }, template: template(spec), ...more },
  };
}

const jobs = "/apis/batch/v1/namespaces/{ns}/jobs";

function job(spec: JsonObject): JsonObject {
  return {
    metadata: { name: "a" },
    spec: { template: { spec: { restartPolicy: "Never", containers: [main] } }, ...spec },
  };
}

const events = "/apis/events.k8s.io/v1/namespaces/{ns}/events";

function event(more: JsonObject): JsonObject {
  return {
    metadata: { name: "e" },
    eventTime: "2001-01-01T00:00:00.000000Z",
    reportingController: "example.com/c",
    reportingInstance: "i",
    action: "A",
    reason: "R",
    type: "Normal",
    regarding: { namespace: "{ns}", kind: "Pod", name: "p" },
    ...more,
  };
}

/** A dry run of a PodTemplate. */
function tryPods(spec: JsonObject): RequestStep {
  return create(`${core}/podtemplates?dryRun=All`, "t", { template: template(spec) });
}

/** Objects of built-in kinds with something wrong that users seldom get wrong: what random disturbances of good objects found. */
export const disturbedKinds: Subject = subject(
  "kinds-disturbed",
  testCase(
    "every source of a volume is checked",
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
    createSpec(`/api/v1/persistentvolumes?dryRun=All`, "{ns}", {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      csi: { driver: "d", volumeHandle: "h", nodePublishSecretRef: { name: "UPPER" } },
      glusterfs: { endpoints: "e", path: "p", endpointsNamespace: "" },
      volumeAttributesClassName: "",
    }),
  ),
  testCase(
    "what belongs to one system alone is refused for another",
    tryPods({
      os: { name: "windows" },
      hostPID: true,
      securityContext: { runAsUser: 1, windowsOptions: { runAsUserName: "a\\b\\c", hostProcess: true } },
      containers: [
        { ...main, securityContext: { privileged: true, windowsOptions: { hostProcess: false, runAsUserName: ".." } } },
      ],
    }),
    tryPods({ os: { name: "linux" }, securityContext: { windowsOptions: { gmsaCredentialSpecName: "UPPER" } } }),
  ),
  testCase(
    "amounts and claims of a pod as a whole are checked",
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
  ),
  testCase(
    "names of images and ports are read as a real server reads them",
    tryPods({
      containers: ["UPPER", "nginx@sha256:1", "a b", "localhost:5000/x", "example.com/a:latest"].map(
        (image, index) => ({ name: `c${index}`, image, ports: [{ containerPort: 80, hostIP: "10.0.0.1" }] }),
      ),
    }),
    tryPods({
      volumes: [
        {
          name: "c",
          configMap: {
            name: "c",
            items: [
              { key: "a", path: "p" },
              { key: "b", path: "p/q" },
            ],
          },
        },
      ],
    }),
  ),
  testCase(
    "times are read as Go reads them",
    ...[
      "2026-01-01",
      "2026-13-01T00:00:00Z",
      "2026-02-30T00:00:00Z",
      "2026-01-01T00:00:00Zx",
      "2026-01-01T25:00:00Z",
    ].map((time) =>
      post("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases?dryRun=All", {
        metadata: { name: "l", creationTimestamp: time },
        spec: {},
      }),
    ),
    createSpec("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases?dryRun=All", "l", {
      renewTime: "2026-01-01T00:00:00Z",
    }),
  ),
  testCase(
    "workloads are disturbed",
    post(`${apps}/statefulsets`, workload({ ordinals: {}, revisionHistoryLimit: -1 })),
    put(`${apps}/statefulsets/a`, workload({ updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 2 } } })),
    patchSpec(`${apps}/statefulsets/a`, { updateStrategy: { type: "Odd" } }),
    patchSpec(`${apps}/statefulsets/a`, { template: { metadata: { annotations: { "bad key": "x" } } } }),
    mergePatch(`${apps}/statefulsets/a`, {}),
    post(`${apps}/daemonsets`, workload({ updateStrategy: { type: "OnDelete", rollingUpdate: {} } })),
    put(`${apps}/daemonsets/a/status`, { ...workload(), status: { numberReady: 1 } }),
    patchSpec(`${apps}/daemonsets/a`, {
      selector: { matchExpressions: [{ key: "app", operator: "In", values: ["a"] }] },
    }),
    createSpec(`${core}/replicationcontrollers`, "a", { template: template({}) }),
    put(`${core}/replicationcontrollers/a/status`, { metadata: { name: "a" }, status: { replicas: 1 } }),
    patchSpec(`${core}/replicationcontrollers/a`, { selector: { "bad key": "two words" } }),
    get(`${core}/replicationcontrollers/a`),
  ),
  testCase(
    "a Job is disturbed",
    post(jobs, job({ completionMode: "Indexed", completions: 3, parallelism: 3, backoffLimitPerIndex: 1 })),
    patchSpec(`${jobs}/a`, { template: { metadata: { labels: null } } }),
    patchStatus(`${jobs}/a`, { completedIndexes: "0,7", failedIndexes: "1-0", ready: 5 }),
    patchStatus(`${jobs}/a`, { completedIndexes: "0-1", failedIndexes: "1", active: 1 }),
    patchStatus(`${jobs}/a`, { failed: 2, uncountedTerminatedPods: { succeeded: ["u", ""], failed: ["u"] } }),
    patchStatus(`${jobs}/a`, { failed: 2, startTime: "2026-01-01T00:00:00Z" }),
    patchStatus(`${jobs}/a`, { failed: 1, startTime: null }),
    put(`${jobs}/a/status`, { metadata: { name: "a" }, status: { failed: 2 } }),
    post(
      `${jobs}?dryRun=All`,
      job({
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
    ),
    post(
      `${jobs}?dryRun=All`,
      job({ completionMode: "Indexed", completions: 200_000, parallelism: 20_000, backoffLimitPerIndex: 1 }),
    ),
  ),
  testCase(
    "a suspended Job may change what its pods ask for",
    post(jobs, job({ suspend: true })),
    patchSpec(`${jobs}/a`, {
      template: { spec: { containers: [{ ...main, resources: { limits: { cpu: "1" } } }], nodeSelector: { a: "b" } } },
    }),
    patchSpec(
      `${jobs}/a?dryRun=All`,
      { template: { spec: { containers: [{ ...main, image: "x" }] } } },
      { fields: ["status", "reason"] },
    ),
  ),
  testCase(
    "what belongs to storage is disturbed",
    create("/apis/storage.k8s.io/v1/storageclasses?dryRun=All", "{ns}", {
      provisioner: "p",
      allowedTopologies: [{}, { matchLabelExpressions: [] }],
    }),
    createSpec("/apis/storage.k8s.io/v1/volumeattachments?dryRun=All", "{ns}", {
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
      "/apis/storage.k8s.io/v1/volumeattributesclasses",
      "{ns}",
      { driverName: "D", parameters: { a: "b" } },
      { fields: ["driverName", "parameters"] },
    ),
    mergePatch("/apis/storage.k8s.io/v1/volumeattributesclasses/{ns}", { driverName: "E", parameters: { "": "x" } }),
    createSpec("/apis/storage.k8s.io/v1/csidrivers", "{ns}", {}),
    patchSpec("/apis/storage.k8s.io/v1/csidrivers/{ns}", { requiresRepublish: true }),
    createSpec(
      `${core}/persistentvolumeclaims`,
      "a",
      {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        dataSourceRef: { kind: "PersistentVolumeClaim", name: "x", namespace: "other" },
      },
      { fields: ["spec", "status"] },
    ),
    patchStatus(`${core}/persistentvolumeclaims/a`, {
      capacity: { storage: "-1" },
      allocatedResources: { cpu: "1" },
      allocatedResourceStatuses: { storage: "Odd" },
    }),
  ),
  testCase(
    "what belongs to the network is disturbed",
    create("/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices", "a", {
      addressType: "FQDN",
      endpoints: [{ addresses: ["x"] }],
    }),
    create("/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices?dryRun=All", "a", {
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.1.0.1"], deprecatedTopology: { "bad key": "x" } }],
    }),
    createSpec("/apis/networking.k8s.io/v1/ingressclasses?dryRun=All", "{ns}", {
      controller: "a.b/c d",
      parameters: { kind: "K", name: "n", scope: "", namespace: "x" },
    }),
    createSpec("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", "a", { selector: { matchLabels: { a: "b" } } }),
    patchStatus("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/a", {
      conditions: [{ type: "bad type", status: "Odd", reason: "-", observedGeneration: -1 }],
    }),
    createSpec("/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers?dryRun=All", "a", {
      scaleTargetRef: { kind: "D", name: "d" },
      maxReplicas: 2,
      metrics: [
        {
          type: "ContainerResource",
          containerResource: { name: "m", container: "A", target: { type: "AverageValue", averageValue: "1" } },
        },
      ],
    }),
  ),
  testCase(
    "what the cluster is made of is disturbed",
    createSpec("/api/v1/namespaces?dryRun=All", "{ns}-x", { finalizers: ["odd", "a/b"] }),
    patchStatus("/api/v1/namespaces/{ns}", { phase: "Terminating" }),
    createSpec("/api/v1/nodes", "{ns}", { configSource: {}, podCIDRs: ["10.3.0.0/24", "fd00:3::/64"] }),
    patchSpec("/api/v1/nodes/{ns}", { podCIDRs: ["10.4.0.0/24", "x"] }),
    patchStatus("/api/v1/nodes/{ns}", { declaredFeatures: ["B", "A", "a b"], config: {}, capacity: { pods: "1.5" } }),
    remove("/api/v1/nodes/{ns}", undefined, { silent: true }),
    create("/apis/node.k8s.io/v1/runtimeclasses?dryRun=All", "{ns}", {
      handler: "h",
      scheduling: {
        tolerations: [
          { key: "k", operator: "Exists" },
          { key: "k", operator: "Exists" },
        ],
      },
      overhead: { podFixed: { cpu: "1u" } },
    }),
    create(`${core}/serviceaccounts?dryRun=All`, "a", { secrets: [{ name: "s", kind: "K" }] }),
    create("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles?dryRun=All", "a", { rules: [] }),
    create("/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All", "{ns}"),
  ),
  testCase(
    "who may do what is disturbed",
    create("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All", "{ns}", {
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
    createSpec("/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings?dryRun=All", "{ns}", {
      policyName: "p",
      matchResources: {
        matchPolicy: "",
        resourceRules: [{ operations: ["DELETE"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
      },
    }),
    createSpec("/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations?dryRun=All", "{ns}", {
      type: "Limited",
      limited: { limitResponse: { type: "Queue", queuing: { queues: 65_536, handSize: 8, queueLengthLimit: 1 } } },
    }),
    createSpec("/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All", "{ns}", {
      request: "eA==",
      signerName: "UPPER.x/a_b",
      usages: ["any", "any"],
    }),
    createSpec(`${core}/resourcequotas?dryRun=All`, "a", { hard: { cpu: "2", "limits.cpu": "1" } }),
    createSpec(`${core}/limitranges?dryRun=All`, "a", {
      limits: [{ type: "Container", default: { "example.com/x": "2" }, defaultRequest: { "example.com/x": "1" } }],
    }),
    create("/apis/storage.k8s.io/v1/storageclasses?dryRun=All", "{ns}", {
      provisioner: "p",
      volumeBindingMode: "",
      reclaimPolicy: "",
    }),
  ),
  testCase(
    "of an event only its series changes",
    post(events, event({ series: { count: 1 }, type: "Odd", deprecatedCount: 3, note: "n".repeat(1025) })),
    post(events, event({})),
    mergePatch(`${events}/e`, { reason: "Other", note: "Other", regarding: { name: "x" } }),
    mergePatch(`${events}/e`, { series: { count: 2 } }),
    create(`${core}/events?dryRun=All`, "f", {
      involvedObject: { namespace: "{ns}" },
      eventTime: "2001-01-01T00:00:00.000000Z",
    }),
  ),
);
