import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, type RequestStep, subject, wording } from "../test-case.js";
import { create, createSpec, patchSpec, patchStatus, replace } from "./object-steps.js";
import { claims, configMaps, container, deployments, pods, secrets, services } from "./sample-objects.js";

const quotas = "/api/v1/namespaces/{ns}/resourcequotas";
const used = { fields: ["status"] };
const name = { fields: ["metadata.name", "message", "reason", "details", "code"] };

type QuotaSpec = JsonObject & { readonly hard: JsonObject };

/**
 * A ResourceQuota with the status that its controller would write; nothing is used without `usage`. The dry run `probe` waits until the
 * server enforces it.
 */
function quota(name: string, spec: QuotaSpec, probe: RequestStep, usage?: JsonObject): RequestStep[] {
  const unused = Object.fromEntries(Object.keys(spec.hard).map((resource) => [resource, "0"]));
  return [
    createSpec(quotas, name, spec, used),
    patchStatus(`${quotas}/${name}`, { hard: spec.hard, used: usage ?? unused }, used),
    { ...probe, until: { status: 403 }, silent: true },
  ];
}

const selector = { matchLabels: { a: "b" } };
const podSpec = (resources: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  containers: [{ name: "a", image: "b", resources }],
  ...spec,
});
const init = (limits: JsonObject): JsonObject => container("i", "b", { resources: { limits } });
const createPod = (pod: string, resources?: JsonObject, spec?: JsonObject): RequestStep =>
  createSpec(pods, pod, podSpec(resources, spec), name);
const tryPod = (resources?: JsonObject, spec?: JsonObject): RequestStep =>
  createSpec(`${pods}?dryRun=All`, "x", podSpec(resources, spec));
const claimSpec = (storage: string, spec: JsonObject = {}): JsonObject => ({
  storageClassName: "none",
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage } },
  ...spec,
});
const createClaim = (claim: string, storage: string, spec?: JsonObject): RequestStep =>
  createSpec(claims, claim, claimSpec(storage, spec), name);

/** What ResourceQuotas reject and charge. */
export const quotaCases = subject("quotas", {
  "a ResourceQuota without a status limits nothing": [
    createSpec(quotas, "q", { hard: { pods: "0", configmaps: "0" } }, used),
    create(configMaps, "a", {}, name),
    get(`${quotas}/q`, used),
  ],
  "object counts are charged and enforced, also as count/<resource>": wording(
    ...quota(
      "q",
      { hard: { configmaps: "2", "count/configmaps": "5", "count/deployments.apps": "0", secrets: "1" } },
      create(`${secrets}?dryRun=All`, "x"),
      { configmaps: "1", "count/configmaps": "1", "count/deployments.apps": "0", secrets: "3" },
    ),
    create(secrets, "a", {}, name),
    create(configMaps, "a", {}, name),
    get(`${quotas}/q`, used),
    create(`${configMaps}?dryRun=All`, "b", {}, name),
    create(configMaps, "b", {}, name),
    post(configMaps, { metadata: { generateName: "b-" } }, { fields: ["reason", "code"] }),
    replace(configMaps, "a", { data: { a: "b" } }, name),
    createSpec(deployments, "d", { selector, template: { metadata: { labels: { a: "b" } }, spec: podSpec() } }, name),
    create(configMaps, "Bad", {}, name),
  ),
  "pods are charged for requests and limits, and must set them": wording(
    ...quota(
      "q",
      {
        hard: {
          pods: "4",
          cpu: "2",
          "requests.memory": "1Gi",
          "limits.cpu": "3",
          "limits.memory": "2Gi",
          "requests.example.com/gpu": "1",
        },
      },
      tryPod(),
    ),
    createPod("none"),
    createPod("some", { requests: { cpu: "1" } }, { initContainers: [init({ memory: "1Gi" })] }),
    createPod("full", { limits: { cpu: "1500m", memory: "512Mi" } }),
    get(`${quotas}/q`, used),
    createPod("much", { limits: { cpu: "1500m", memory: "768Mi" } }),
    createPod(
      "init",
      { limits: { cpu: "100m", memory: "1Mi" } },
      {
        initContainers: [
          init({ cpu: "200m", memory: "2Mi" }),
          container("s", "b", { restartPolicy: "Always", resources: { limits: { cpu: "50m", memory: "1Mi" } } }),
        ],
      },
    ),
    get(`${quotas}/q`, used),
    createPod("gpu", { limits: { cpu: "1m", memory: "1Mi", "example.com/gpu": "2" } }),
    createPod("gpu", { limits: { cpu: "1m", memory: "1Mi", "example.com/gpu": "1" } }),
    createPod("whole", {}, { resources: { limits: { cpu: "10m", memory: "10Mi" } } }),
    get(`${quotas}/q`, used),
    createPod("late", { limits: { cpu: "1m", memory: "1Mi" } }),
  ),
  "scopes select the pods that are charged": wording(
    ...quota("cheap", { hard: { pods: "1" }, scopes: ["BestEffort"] }, tryPod(), { pods: "1" }),
    ...quota(
      "short",
      { hard: { pods: "1" }, scopeSelector: { matchExpressions: [{ scopeName: "Terminating", operator: "Exists" }] } },
      tryPod({ requests: { cpu: "1" } }, { activeDeadlineSeconds: 5 }),
      { pods: "1" },
    ),
    ...quota(
      "important",
      {
        hard: { pods: "0" },
        scopeSelector: {
          matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["system-node-critical"] }],
        },
      },
      tryPod({ requests: { cpu: "1" } }, { priorityClassName: "system-node-critical" }),
    ),
    createPod("a"),
    createPod("b", { requests: { cpu: "1" } }),
    patchSpec(`${pods}/b`, { activeDeadlineSeconds: 9 }, name),
    createPod("c", { requests: { cpu: "1" } }, { priorityClassName: "system-node-critical" }),
    get(`${quotas}/short`, used),
    get(`${quotas}/important`, used),
  ),
  "Services are charged by type, also when it changes": wording(
    ...quota(
      "q",
      { hard: { services: "3", "services.nodeports": "2", "services.loadbalancers": "0" } },
      createSpec(`${services}?dryRun=All`, "x", { type: "LoadBalancer", ports: [{ port: 1 }] }),
    ),
    createSpec(services, "a", { ports: [{ port: 1, name: "a" }] }, name),
    patchSpec(`${services}/a`, { type: "NodePort" }, name),
    get(`${quotas}/q`, used),
    patchSpec(`${services}/a`, { ports: ["a", "b", "c"].map((name, index) => ({ port: index + 1, name })) }, name),
    patchSpec(`${services}/a`, { type: "LoadBalancer" }, name),
    mergePatch(`${services}/a`, { metadata: { labels: { a: "b" } } }, name),
    get(`${quotas}/q`, used),
  ),
  "PersistentVolumeClaims are charged for requested storage, also by StorageClass": wording(
    ...quota(
      "q",
      {
        hard: {
          persistentvolumeclaims: "3",
          "requests.storage": "3Gi",
          "fast.storageclass.storage.k8s.io/requests.storage": "1Gi",
          "fast.storageclass.storage.k8s.io/persistentvolumeclaims": "5",
        },
      },
      createSpec(`${claims}?dryRun=All`, "x", claimSpec("9Gi")),
    ),
    createClaim("a", "2Gi"),
    createClaim("b", "2Gi", { storageClassName: "fast" }),
    createClaim("b", "1Gi", { storageClassName: "fast" }),
    createClaim("c", "1Mi"),
    get(`${quotas}/q`, used),
  ),
  "a ResourceQuota without used values rejects what it cannot charge": wording(
    ...quota("q", { hard: { pods: "3", configmaps: "3" } }, tryPod(), { configmaps: "0" }),
    createPod("a"),
    create(configMaps, "a", {}, name),
    get(`${quotas}/q`, used),
    get(`${quotas}/q`, { fields: ["metadata.managedFields"] }),
  ),
});
