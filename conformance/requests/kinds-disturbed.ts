import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, remove, type Subject, testCase } from "../test-case.js";

const apps = "/apis/apps/v1/namespaces/{ns}";
const core = "/api/v1/namespaces/{ns}";
const main = { name: "main", image: "nginx" };

function template(spec: JsonObject): JsonObject {
  return { metadata: { labels: { app: "a" } }, spec: { containers: [main], ...spec } };
}

function podTemplate(spec: JsonObject): JsonObject {
  return { metadata: { name: "t" }, template: template(spec) };
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

const tried = `${core}/podtemplates?dryRun=All`;

/** Objects of built-in kinds with something wrong that users seldom get wrong: what random disturbances of good objects found. */
export const disturbedKinds: Subject = {
  name: "kinds-disturbed",
  cases: [
    testCase(
      "every source of a volume is checked",
      post(
        tried,
        podTemplate({
          volumes: [
            {
              name: "a",
              iscsi: { targetPortal: "p", iqn: "x", lun: 300, chapAuthSession: true, initiatorName: "iqn.x" },
            },
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
      ),
      post(
        tried,
        podTemplate({
          volumes: [
            {
              name: "a",
              ephemeral: {
                volumeClaimTemplate: {
                  metadata: { name: "n", labels: { "bad key": "x" } },
                  spec: {
                    accessModes: ["ReadWriteOncePod", "ReadWriteOnce"],
                    resources: { requests: { storage: "0" } },
                  },
                },
              },
            },
          ],
        }),
      ),
      post(`/api/v1/persistentvolumes?dryRun=All`, {
        metadata: { name: "{ns}" },
        spec: {
          capacity: { storage: "1Gi" },
          accessModes: ["ReadWriteOnce"],
          csi: { driver: "d", volumeHandle: "h", nodePublishSecretRef: { name: "UPPER" } },
          glusterfs: { endpoints: "e", path: "p", endpointsNamespace: "" },
          volumeAttributesClassName: "",
        },
      }),
    ),
    testCase(
      "what belongs to one system alone is refused for another",
      post(
        tried,
        podTemplate({
          os: { name: "windows" },
          hostPID: true,
          securityContext: { runAsUser: 1, windowsOptions: { runAsUserName: "a\\b\\c", hostProcess: true } },
          containers: [
            {
              ...main,
              securityContext: { privileged: true, windowsOptions: { hostProcess: false, runAsUserName: ".." } },
            },
          ],
        }),
      ),
      post(
        tried,
        podTemplate({
          os: { name: "linux" },
          securityContext: { windowsOptions: { gmsaCredentialSpecName: "UPPER" } },
        }),
      ),
    ),
    testCase(
      "amounts and claims of a pod as a whole are checked",
      post(
        tried,
        podTemplate({
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
      ),
      post(tried, podTemplate({ containers: [{ ...main, resources: { limits: { cpu: "1u", memory: "100.0001" } } }] })),
    ),
    testCase(
      "names of images and ports are read as a real server reads them",
      post(
        tried,
        podTemplate({
          containers: ["UPPER", "nginx@sha256:1", "a b", "localhost:5000/x", "example.com/a:latest"].map(
            (image, index) => ({ name: `c${index}`, image, ports: [{ containerPort: 80, hostIP: "10.0.0.1" }] }),
          ),
        }),
      ),
      post(
        tried,
        podTemplate({
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
      post("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases?dryRun=All", {
        metadata: { name: "l" },
        spec: { renewTime: "2026-01-01T00:00:00Z" },
      }),
    ),
    testCase(
      "workloads are disturbed",
      post(`${apps}/statefulsets`, workload({ ordinals: {}, revisionHistoryLimit: -1 })),
      put(
        `${apps}/statefulsets/a`,
        workload({ updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 2 } } }),
      ),
      mergePatch(`${apps}/statefulsets/a`, { spec: { updateStrategy: { type: "Odd" } } }),
      mergePatch(`${apps}/statefulsets/a`, { spec: { template: { metadata: { annotations: { "bad key": "x" } } } } }),
      mergePatch(`${apps}/statefulsets/a`, {}),
      post(`${apps}/daemonsets`, workload({ updateStrategy: { type: "OnDelete", rollingUpdate: {} } })),
      put(`${apps}/daemonsets/a/status`, { ...workload(), status: { numberReady: 1 } }),
      mergePatch(`${apps}/daemonsets/a`, {
        spec: { selector: { matchExpressions: [{ key: "app", operator: "In", values: ["a"] }] } },
      }),
      post(`${core}/replicationcontrollers`, { metadata: { name: "a" }, spec: { template: template({}) } }),
      put(`${core}/replicationcontrollers/a/status`, { metadata: { name: "a" }, status: { replicas: 1 } }),
      mergePatch(`${core}/replicationcontrollers/a`, { spec: { selector: { "bad key": "two words" } } }),
      get(`${core}/replicationcontrollers/a`),
    ),
    testCase(
      "a Job is disturbed",
      post(jobs, job({ completionMode: "Indexed", completions: 3, parallelism: 3, backoffLimitPerIndex: 1 })),
      mergePatch(`${jobs}/a`, { spec: { template: { metadata: { labels: null } } } }),
      mergePatch(`${jobs}/a/status`, { status: { completedIndexes: "0,7", failedIndexes: "1-0", ready: 5 } }),
      mergePatch(`${jobs}/a/status`, { status: { completedIndexes: "0-1", failedIndexes: "1", active: 1 } }),
      mergePatch(`${jobs}/a/status`, {
        status: { failed: 2, uncountedTerminatedPods: { succeeded: ["u", ""], failed: ["u"] } },
      }),
      mergePatch(`${jobs}/a/status`, { status: { failed: 2, startTime: "2026-01-01T00:00:00Z" } }),
      mergePatch(`${jobs}/a/status`, { status: { failed: 1, startTime: null } }),
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
      mergePatch(`${jobs}/a`, {
        spec: {
          template: {
            spec: { containers: [{ ...main, resources: { limits: { cpu: "1" } } }], nodeSelector: { a: "b" } },
          },
        },
      }),
      mergePatch(
        `${jobs}/a?dryRun=All`,
        { spec: { template: { spec: { containers: [{ ...main, image: "x" }] } } } },
        {
          fields: ["status", "reason"],
        },
      ),
    ),
    testCase(
      "what belongs to storage is disturbed",
      post("/apis/storage.k8s.io/v1/storageclasses?dryRun=All", {
        metadata: { name: "{ns}" },
        provisioner: "p",
        allowedTopologies: [{}, { matchLabelExpressions: [] }],
      }),
      post("/apis/storage.k8s.io/v1/volumeattachments?dryRun=All", {
        metadata: { name: "{ns}" },
        spec: {
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
        },
      }),
      post(
        "/apis/storage.k8s.io/v1/volumeattributesclasses",
        {
          metadata: { name: "{ns}" },
          driverName: "D",
          parameters: { a: "b" },
        },
        { fields: ["driverName", "parameters"] },
      ),
      mergePatch("/apis/storage.k8s.io/v1/volumeattributesclasses/{ns}", { driverName: "E", parameters: { "": "x" } }),
      post("/apis/storage.k8s.io/v1/csidrivers", { metadata: { name: "{ns}" }, spec: {} }),
      mergePatch("/apis/storage.k8s.io/v1/csidrivers/{ns}", { spec: { requiresRepublish: true } }),
      post(
        `${core}/persistentvolumeclaims`,
        {
          metadata: { name: "a" },
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: "1Gi" } },
            dataSourceRef: { kind: "PersistentVolumeClaim", name: "x", namespace: "other" },
          },
        },
        { fields: ["spec", "status"] },
      ),
      mergePatch(`${core}/persistentvolumeclaims/a/status`, {
        status: {
          capacity: { storage: "-1" },
          allocatedResources: { cpu: "1" },
          allocatedResourceStatuses: { storage: "Odd" },
        },
      }),
    ),
    testCase(
      "what belongs to the network is disturbed",
      post("/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices", {
        metadata: { name: "a" },
        addressType: "FQDN",
        endpoints: [{ addresses: ["x"] }],
      }),
      post("/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices?dryRun=All", {
        metadata: { name: "a" },
        addressType: "IPv4",
        endpoints: [{ addresses: ["10.1.0.1"], deprecatedTopology: { "bad key": "x" } }],
      }),
      post("/apis/networking.k8s.io/v1/ingressclasses?dryRun=All", {
        metadata: { name: "{ns}" },
        spec: { controller: "a.b/c d", parameters: { kind: "K", name: "n", scope: "", namespace: "x" } },
      }),
      post("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets", {
        metadata: { name: "a" },
        spec: { selector: { matchLabels: { a: "b" } } },
      }),
      mergePatch("/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/a/status", {
        status: { conditions: [{ type: "bad type", status: "Odd", reason: "-", observedGeneration: -1 }] },
      }),
      post("/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers?dryRun=All", {
        metadata: { name: "a" },
        spec: {
          scaleTargetRef: { kind: "D", name: "d" },
          maxReplicas: 2,
          metrics: [
            {
              type: "ContainerResource",
              containerResource: { name: "m", container: "A", target: { type: "AverageValue", averageValue: "1" } },
            },
          ],
        },
      }),
    ),
    testCase(
      "what the cluster is made of is disturbed",
      post("/api/v1/namespaces?dryRun=All", { metadata: { name: "{ns}-x" }, spec: { finalizers: ["odd", "a/b"] } }),
      mergePatch("/api/v1/namespaces/{ns}/status", { status: { phase: "Terminating" } }),
      post("/api/v1/nodes", {
        metadata: { name: "{ns}" },
        spec: { configSource: {}, podCIDRs: ["10.3.0.0/24", "fd00:3::/64"] },
      }),
      mergePatch("/api/v1/nodes/{ns}", { spec: { podCIDRs: ["10.4.0.0/24", "x"] } }),
      mergePatch("/api/v1/nodes/{ns}/status", {
        status: { declaredFeatures: ["B", "A", "a b"], config: {}, capacity: { pods: "1.5" } },
      }),
      remove("/api/v1/nodes/{ns}", undefined, { silent: true }),
      post("/apis/node.k8s.io/v1/runtimeclasses?dryRun=All", {
        metadata: { name: "{ns}" },
        handler: "h",
        scheduling: {
          tolerations: [
            { key: "k", operator: "Exists" },
            { key: "k", operator: "Exists" },
          ],
        },
        overhead: { podFixed: { cpu: "1u" } },
      }),
      post(`${core}/serviceaccounts?dryRun=All`, { metadata: { name: "a" }, secrets: [{ name: "s", kind: "K" }] }),
      post("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles?dryRun=All", {
        metadata: { name: "a" },
        rules: [],
      }),
      post("/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All", { metadata: { name: "{ns}" } }),
    ),
    testCase(
      "who may do what is disturbed",
      post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All", {
        metadata: { name: "{ns}" },
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
      post("/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings?dryRun=All", {
        metadata: { name: "{ns}" },
        spec: {
          policyName: "p",
          matchResources: {
            matchPolicy: "",
            resourceRules: [{ operations: ["DELETE"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
          },
        },
      }),
      post("/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations?dryRun=All", {
        metadata: { name: "{ns}" },
        spec: {
          type: "Limited",
          limited: { limitResponse: { type: "Queue", queuing: { queues: 65_536, handSize: 8, queueLengthLimit: 1 } } },
        },
      }),
      post("/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All", {
        metadata: { name: "{ns}" },
        spec: { request: "eA==", signerName: "UPPER.x/a_b", usages: ["any", "any"] },
      }),
      post(`${core}/resourcequotas?dryRun=All`, {
        metadata: { name: "a" },
        spec: { hard: { cpu: "2", "limits.cpu": "1" } },
      }),
      post(`${core}/limitranges?dryRun=All`, {
        metadata: { name: "a" },
        spec: {
          limits: [{ type: "Container", default: { "example.com/x": "2" }, defaultRequest: { "example.com/x": "1" } }],
        },
      }),
      post("/apis/storage.k8s.io/v1/storageclasses?dryRun=All", {
        metadata: { name: "{ns}" },
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
      post(`${core}/events?dryRun=All`, {
        metadata: { name: "f" },
        involvedObject: { namespace: "{ns}" },
        eventTime: "2001-01-01T00:00:00.000000Z",
      }),
    ),
  ],
};
