import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, remove, type Subject, testCase } from "../test-case.js";

const nodes = "/api/v1/nodes";
const quotas = "/api/v1/namespaces/{ns}/resourcequotas";
const limits = "/api/v1/namespaces/{ns}/limitranges";
const runtimes = "/apis/node.k8s.io/v1/runtimeclasses";
const services = "/apis/apiregistration.k8s.io/v1/apiservices";
const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
const table = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

function quota(name: string, spec: JsonObject): JsonObject {
  return { metadata: { name }, spec };
}

function range(name: string, ...items: JsonObject[]): JsonObject {
  return { metadata: { name }, spec: { limits: items } };
}

/** Nodes, quotas and what the cluster is made of: defaults, rules, tables. */
export const clusterKinds: Subject = {
  name: "kinds-cluster",
  cases: [
    testCase(
      "a Node is checked, and its status is its own",
      post(nodes, { metadata: { name: "{ns}" } }),
      get(`${nodes}/{ns}`, table),
      mergePatch(`${nodes}/{ns}/status`, {
        status: {
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
        },
      }),
      mergePatch(`${nodes}/{ns}`, {
        metadata: { labels: { "node-role.kubernetes.io/worker": "", "kubernetes.io/role": "x" } },
        spec: { unschedulable: true, taints: [{ key: "k", value: "v", effect: "NoSchedule" }] },
      }),
      get(`${nodes}/{ns}`, table),
      get(`${nodes}?fieldSelector=spec.unschedulable%3Dtrue,metadata.name%3D{ns}`, table),
      post(nodes, {
        metadata: { name: "{ns}-b" },
        spec: {
          podCIDR: "x",
          podCIDRs: ["x"],
          providerID: "p",
          taints: [
            { key: "k", effect: "NoSchedule" },
            { key: "k", effect: "NoSchedule" },
            { key: "a b", value: "c d", effect: "Some" },
            { key: "", effect: "" },
          ],
        },
      }),
      post(nodes, { metadata: { name: "{ns}-c" }, spec: { podCIDR: "10.3.0.0/24", providerID: "p" } }),
      mergePatch(`${nodes}/{ns}-c`, { spec: { podCIDR: "10.4.0.0/24", podCIDRs: ["10.4.0.0/24"] } }),
      mergePatch(`${nodes}/{ns}-c`, { spec: { providerID: "q" } }),
      mergePatch(`${nodes}/{ns}-c`, { spec: { providerID: null, externalID: "x" } }),
      mergePatch(`${nodes}/{ns}-c/status`, {
        status: {
          addresses: [
            { type: "Hostname", address: "a" },
            { type: "Hostname", address: "a" },
          ],
        },
      }),
      remove(`${nodes}/{ns}-c`),
      remove(`${nodes}/{ns}`),
    ),
    testCase(
      "a ResourceQuota is checked",
      post(
        quotas,
        quota("a", { hard: { pods: "3", "requests.cpu": "1", "limits.memory": "1Gi", "count/configmaps": "2" } }),
      ),
      get(quotas, table),
      mergePatch(`${quotas}/a/status`, { status: { hard: { pods: "3" }, used: { pods: "1" } } }),
      get(quotas, table),
      post(quotas, quota("bad", { hard: { pods: "-1" } })),
      post(quotas, quota("bad", { hard: { "some thing": "1", "example.com/x": "1" } })),
      post(quotas, quota("bad", { hard: { unknown: "1" } })),
      post(quotas, quota("bad", { hard: { pods: "1.5" } })),
      post(quotas, quota("bad", { hard: { cpu: "1" }, scopes: ["BestEffort", "NotBestEffort", "Some"] })),
      post(quotas, quota("scoped", { hard: { pods: "1" }, scopes: ["BestEffort"] })),
      post(
        quotas,
        quota("bad", {
          hard: { pods: "1" },
          scopeSelector: {
            matchExpressions: [
              { scopeName: "PriorityClass", operator: "In" },
              { scopeName: "Terminating", operator: "In", values: ["x"] },
              { scopeName: "Some", operator: "Other" },
            ],
          },
        }),
      ),
      mergePatch(`${quotas}/scoped`, { spec: { scopes: ["NotBestEffort"] } }),
      mergePatch(`${quotas}/a/status`, { status: { used: { pods: "-1" } } }),
      post(quotas, { metadata: { name: "empty" } }),
      remove(`${quotas}/a`),
    ),
    testCase(
      "a LimitRange gets its defaults, and is checked",
      post(limits, range("a", { type: "Container", max: { cpu: "1" }, min: { memory: "1Mi" } })),
      get(limits, table),
      post(limits, range("b", { type: "Pod", default: { cpu: "1" }, max: { cpu: "1" } })),
      post(
        limits,
        range("b", {
          type: "Container",
          max: { cpu: "1" },
          min: { cpu: "2" },
          default: { cpu: "3" },
          defaultRequest: { cpu: "4" },
        }),
      ),
      post(limits, range("b", { type: "Container", max: { cpu: "1" } }, { type: "Container", max: { cpu: "1" } })),
      post(limits, range("b", { type: "Some", max: { cpu: "1" } }, { type: "example.com/x", max: { "a b": "1" } })),
      post(limits, range("b", { type: "PersistentVolumeClaim" }, { type: "" })),
      post(
        limits,
        range("b", {
          type: "Container",
          max: { cpu: "2" },
          min: { cpu: "1" },
          maxLimitRequestRatio: { cpu: "500m", memory: "3" },
        }),
      ),
      post(limits, range("c", { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } })),
      put(`${limits}/made`, range("made", { type: "Pod", max: { cpu: "1" } })),
    ),
    testCase(
      "a RuntimeClass is checked",
      post(runtimes, { metadata: { name: "{ns}" }, handler: "h" }),
      get(`${runtimes}/{ns}`, table),
      post(runtimes, { metadata: { name: "{ns}-b" } }),
      post(runtimes, {
        metadata: { name: "{ns}-b" },
        handler: "A_",
        overhead: { podFixed: { cpu: "-1" } },
        scheduling: { nodeSelector: { "a b": "c" }, tolerations: [{ operator: "Some" }] },
      }),
      mergePatch(`${runtimes}/{ns}`, { handler: "other" }),
      post(runtimes, {
        metadata: { name: "{ns}-c" },
        handler: "h",
        overhead: { podFixed: { cpu: "100m", memory: "1Mi" } },
        scheduling: { nodeSelector: { a: "b" }, tolerations: [{ key: "k", operator: "Exists" }] },
      }),
    ),
    testCase(
      "an APIService is checked",
      post(
        services,
        {
          metadata: { name: "v1.{group}" },
          spec: {
            group: "{group}",
            version: "v1",
            groupPriorityMinimum: 100,
            versionPriority: 10,
            insecureSkipTLSVerify: true,
            service: { name: "s", namespace: "n" },
          },
        },
        { fields: ["apiVersion", "kind", "spec"] },
      ),
      post(services, { metadata: { name: "v2.{group}" }, spec: {} }),
      post(services, {
        metadata: { name: "v2.{group}" },
        spec: {
          group: "{group}",
          version: "V_",
          groupPriorityMinimum: 30000,
          versionPriority: 0,
          insecureSkipTLSVerify: true,
          caBundle: "eA==",
          service: { name: "", namespace: "", port: 0 },
        },
      }),
      post(services, {
        metadata: { name: "other" },
        spec: { group: "{group}", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 },
      }),
      get(`${services}/v1.`, { fields: ["apiVersion", "kind", "spec", "status"], until: { includes: "Local" } }),
      get(`${services}/v1.`, { ...table, fields: ["rows"], until: { includes: "True" } }),
      get(`${services}/v1.apps`, { fields: ["spec"] }),
      get(`${services}/v2.autoscaling`, { fields: ["spec"] }),
      get(`${services}/v1.apiextensions.k8s.io`, { fields: ["spec"] }),
      get(`${services}/v1.rbac.authorization.k8s.io`, { fields: ["spec"] }),
      get(`${services}/v1.batch`, { fields: ["spec"] }),
      remove(`${services}/v1.{group}`, undefined, { fields: ["kind", "status"] }),
    ),
    testCase(
      "a Lease is checked, and shown",
      post(leases, {
        metadata: { name: "a" },
        spec: { holderIdentity: "h", leaseDurationSeconds: 10, renewTime: "2001-01-01T00:00:00.000000Z" },
      }),
      get(leases, table),
      put(`${leases}/a`, { metadata: { name: "a" }, spec: {} }),
      mergePatch(`${leases}/a`, { spec: { leaseTransitions: -1 } }),
      mergePatch(`${leases}/a`, { spec: { strategy: "OldestEmulationVersion", preferredHolder: "x" } }),
      mergePatch(`${leases}/a`, { spec: { preferredHolder: "x" } }),
    ),
  ],
};
