import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, type Subject, scenario } from "../case.js";

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

const tried = `${core}/podtemplates?dryRun=All`;

/** Objects of built-in kinds with something wrong that users seldom get wrong: what random disturbances of good objects found. */
export const disturbedKinds: Subject = {
  name: "kinds-disturbed",
  cases: [
    scenario(
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
    scenario(
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
    scenario(
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
    scenario(
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
    scenario(
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
    scenario(
      "workloads are disturbed",
      post(`${apps}/statefulsets`, workload({ ordinals: {}, revisionHistoryLimit: -1 })),
      put(
        `${apps}/statefulsets/a`,
        workload({ updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 2 } } }),
      ),
      mergePatch(`${apps}/statefulsets/a`, { spec: { updateStrategy: { type: "Odd" } } }),
      mergePatch(`${apps}/statefulsets/a`, { spec: { template: { metadata: { annotations: { "bad key": "x" } } } } }),
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
  ],
};
