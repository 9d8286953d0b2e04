import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, type RequestStep, remove, subject } from "../test-case.js";
import { create, createSpec, getTable, patchSpec, patchStatus, replace, table } from "./object-steps.js";
import { leases } from "./sample-objects.js";

const nodes = "/api/v1/nodes";
const quotas = "/api/v1/namespaces/{ns}/resourcequotas";
const limits = "/api/v1/namespaces/{ns}/limitranges";
const runtimes = "/apis/node.k8s.io/v1/runtimeclasses";
const services = "/apis/apiregistration.k8s.io/v1/apiservices";

const taint = { key: "k", effect: "NoSchedule" };

function createRange(name: string, ...items: JsonObject[]): RequestStep {
  return createSpec(limits, name, { limits: items });
}

/** Nodes, ResourceQuotas and other cluster administration kinds: defaults, validation, Tables. */
export const clusterKinds = subject("kinds-cluster", {
  "a Node is validated, and its status is a subresource": [
    create(nodes, "{ns}"),
    getTable(`${nodes}/{ns}`),
    patchStatus(`${nodes}/{ns}`, {
      capacity: { cpu: "4", memory: "8Gi", pods: "110" },
      conditions: [{ type: "Ready", status: "True", reason: "R", message: "m" }],
      addresses: [
        { type: "InternalIP", address: "10.2.0.1" },
        { type: "Hostname", address: "h" },
      ],
      nodeInfo: {
        kubeletVersion: "v1.36.4",
        osImage: "Linux",
        kernelVersion: "6.0",
        containerRuntimeVersion: "containerd://2",
        operatingSystem: "linux",
        architecture: "amd64",
        bootID: "b",
        machineID: "m",
        systemUUID: "s",
        kubeProxyVersion: "",
      },
    }),
    mergePatch(`${nodes}/{ns}`, {
      metadata: { labels: { "node-role.kubernetes.io/worker": "", "kubernetes.io/role": "x" } },
      spec: { unschedulable: true, taints: [{ key: "k", value: "v", effect: "NoSchedule" }] },
    }),
    getTable(`${nodes}/{ns}`),
    getTable(`${nodes}?fieldSelector=spec.unschedulable%3Dtrue,metadata.name%3D{ns}`),
    createSpec(nodes, "{ns}-b", {
      podCIDR: "x",
      podCIDRs: ["x"],
      providerID: "p",
      taints: [taint, taint, { key: "a b", value: "c d", effect: "Some" }, { key: "", effect: "" }],
    }),
    createSpec(nodes, "{ns}-c", { podCIDR: "10.3.0.0/24", providerID: "p" }),
    patchSpec(`${nodes}/{ns}-c`, { podCIDR: "10.4.0.0/24", podCIDRs: ["10.4.0.0/24"] }),
    patchSpec(`${nodes}/{ns}-c`, { providerID: "q" }),
    patchSpec(`${nodes}/{ns}-c`, { providerID: null, externalID: "x" }),
    patchStatus(`${nodes}/{ns}-c`, { addresses: ["a", "a"].map((address) => ({ type: "Hostname", address })) }),
    remove(`${nodes}/{ns}-c`),
    remove(`${nodes}/{ns}`),
  ],
  "a ResourceQuota is validated": [
    createSpec(quotas, "a", {
      hard: { pods: "3", "requests.cpu": "1", "limits.memory": "1Gi", "count/configmaps": "2" },
    }),
    getTable(quotas),
    patchStatus(`${quotas}/a`, { hard: { pods: "3" }, used: { pods: "1" } }),
    getTable(quotas),
    createSpec(quotas, "bad", { hard: { pods: "-1" } }),
    createSpec(quotas, "bad", { hard: { "some thing": "1", "example.com/x": "1" } }),
    createSpec(quotas, "bad", { hard: { unknown: "1" } }),
    createSpec(quotas, "bad", { hard: { pods: "1.5" } }),
    createSpec(quotas, "bad", { hard: { cpu: "1" }, scopes: ["BestEffort", "NotBestEffort", "Some"] }),
    createSpec(quotas, "scoped", { hard: { pods: "1" }, scopes: ["BestEffort"] }),
    createSpec(quotas, "bad", {
      hard: { pods: "1" },
      scopeSelector: {
        matchExpressions: [
          { scopeName: "PriorityClass", operator: "In" },
          { scopeName: "Terminating", operator: "In", values: ["x"] },
          { scopeName: "Some", operator: "Other" },
        ],
      },
    }),
    patchSpec(`${quotas}/scoped`, { scopes: ["NotBestEffort"] }),
    patchStatus(`${quotas}/a`, { used: { pods: "-1" } }),
    create(quotas, "empty"),
    remove(`${quotas}/a`),
  ],
  "a LimitRange gets its defaults and is validated": [
    createRange("a", { type: "Container", max: { cpu: "1" }, min: { memory: "1Mi" } }),
    getTable(limits),
    createRange("b", { type: "Pod", default: { cpu: "1" }, max: { cpu: "1" } }),
    createRange("b", {
      type: "Container",
      max: { cpu: "1" },
      min: { cpu: "2" },
      default: { cpu: "3" },
      defaultRequest: { cpu: "4" },
    }),
    createRange("b", { type: "Container", max: { cpu: "1" } }, { type: "Container", max: { cpu: "1" } }),
    createRange("b", { type: "Some", max: { cpu: "1" } }, { type: "example.com/x", max: { "a b": "1" } }),
    createRange("b", { type: "PersistentVolumeClaim" }, { type: "" }),
    createRange("b", {
      type: "Container",
      max: { cpu: "2" },
      min: { cpu: "1" },
      maxLimitRequestRatio: { cpu: "500m", memory: "3" },
    }),
    createRange("c", { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } }),
    replace(limits, "made", { spec: { limits: [{ type: "Pod", max: { cpu: "1" } }] } }),
  ],
  "a RuntimeClass is validated": [
    create(runtimes, "{ns}", { handler: "h" }),
    getTable(`${runtimes}/{ns}`),
    create(runtimes, "{ns}-b"),
    create(runtimes, "{ns}-b", {
      handler: "A_",
      overhead: { podFixed: { cpu: "-1" } },
      scheduling: { nodeSelector: { "a b": "c" }, tolerations: [{ operator: "Some" }] },
    }),
    mergePatch(`${runtimes}/{ns}`, { handler: "other" }),
    create(runtimes, "{ns}-c", {
      handler: "h",
      overhead: { podFixed: { cpu: "100m", memory: "1Mi" } },
      scheduling: { nodeSelector: { a: "b" }, tolerations: [{ key: "k", operator: "Exists" }] },
    }),
  ],
  "an APIService is validated": [
    createSpec(
      services,
      "v1.{group}",
      {
        group: "{group}",
        version: "v1",
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { name: "s", namespace: "n" },
      },
      { fields: ["apiVersion", "kind", "spec"] },
    ),
    createSpec(services, "v2.{group}", {}),
    createSpec(services, "v2.{group}", {
      group: "{group}",
      version: "V_",
      groupPriorityMinimum: 30000,
      versionPriority: 0,
      insecureSkipTLSVerify: true,
      caBundle: "eA==",
      service: { name: "", namespace: "", port: 0 },
    }),
    createSpec(services, "other", { group: "{group}", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 }),
    get(`${services}/v1.`, { fields: ["apiVersion", "kind", "spec", "status"], until: { includes: "Local" } }),
    get(`${services}/v1.`, { ...table, fields: ["rows"], until: { includes: "True" } }),
    ...["v1.apps", "v2.autoscaling", "v1.apiextensions.k8s.io", "v1.rbac.authorization.k8s.io", "v1.batch"].map(
      (name) => get(`${services}/${name}`, { fields: ["spec"] }),
    ),
    remove(`${services}/v1.{group}`, undefined, { fields: ["kind", "status"] }),
  ],
  "a Lease is validated and returned as a Table": [
    createSpec(leases, "a", {
      holderIdentity: "h",
      leaseDurationSeconds: 10,
      renewTime: "2001-01-01T00:00:00.000000Z",
    }),
    getTable(leases),
    replace(leases, "a", { spec: {} }),
    patchSpec(`${leases}/a`, { leaseTransitions: -1 }),
    patchSpec(`${leases}/a`, { strategy: "OldestEmulationVersion", preferredHolder: "x" }),
    patchSpec(`${leases}/a`, { preferredHolder: "x" }),
  ],
});
