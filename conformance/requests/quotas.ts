import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, type Step, type Subject, testCase, wordingCase } from "../test-case.js";
import { create, createSpec, patchSpec, patchStatus, replace } from "./object-steps.js";

const core = "/api/v1/namespaces/{ns}";
const quotas = `${core}/resourcequotas`;
const used = { fields: ["status"] };

type QuotaSpec = JsonObject & { readonly hard: JsonObject };

/** A quota with the status that the quota controller would write. The dry run `probe` waits until the server enforces it. */
function quota(name: string, spec: QuotaSpec, usage: JsonObject, probe: Step): Step[] {
  return [
    createSpec(quotas, name, spec, used),
    patchStatus(`${quotas}/${name}`, { hard: spec.hard, used: usage }, used),
    { ...probe, until: { status: 403 }, silent: true } as Step,
  ];
}

function pod(name: string, resources: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec: { containers: [{ name: "a", image: "b", resources }], ...spec } };
}

function dry(resource: string, body: JsonObject): Step {
  return post(`${core}/${resource}?dryRun=All`, body);
}

const name = { fields: ["metadata.name", "message", "reason", "details", "code"] };

/** What quotas refuse, and what they are charged. */
export const quotaCases: Subject = {
  name: "quotas",
  cases: [
    testCase(
      "a quota without a status limits nothing",
      createSpec(quotas, "q", { hard: { pods: "0", configmaps: "0" } }, used),
      create(`${core}/configmaps`, "a", {}, name),
      get(`${quotas}/q`, used),
    ),
    wordingCase(
      "objects are counted, also by the names of their kinds, and refused when there are too many",
      ...quota(
        "q",
        { hard: { configmaps: "2", "count/configmaps": "5", "count/deployments.apps": "0", secrets: "1" } },
        { configmaps: "1", "count/configmaps": "1", "count/deployments.apps": "0", secrets: "3" },
        dry("secrets", { metadata: { name: "x" } }),
      ),
      create(`${core}/secrets`, "a", {}, name),
      create(`${core}/configmaps`, "a", {}, name),
      get(`${quotas}/q`, used),
      create(`${core}/configmaps?dryRun=All`, "b", {}, name),
      create(`${core}/configmaps`, "b", {}, name),
      post(`${core}/configmaps`, { metadata: { generateName: "b-" } }, { fields: ["reason", "code"] }),
      replace(`${core}/configmaps`, "a", { data: { a: "b" } }, name),
      post(
        "/apis/apps/v1/namespaces/{ns}/deployments",
        {
          metadata: { name: "d" },
          spec: {
            selector: { matchLabels: { a: "b" } },
            template: { metadata: { labels: { a: "b" } }, spec: pod("")["spec"] ?? null },
          },
        } as JsonObject,
        name,
      ),
      create(`${core}/configmaps`, "Bad", {}, name),
    ),
    wordingCase(
      "pods are weighed by what they request and may take, and must say it",
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
        {
          pods: "0",
          cpu: "0",
          "requests.memory": "0",
          "limits.cpu": "0",
          "limits.memory": "0",
          "requests.example.com/gpu": "0",
        },
        dry("pods", pod("x")),
      ),
      post(`${core}/pods`, pod("none"), name),
      post(
        `${core}/pods`,
        pod(
          "some",
          { requests: { cpu: "1" } },
          { initContainers: [{ name: "i", image: "b", resources: { limits: { memory: "1Gi" } } }] },
        ),
        name,
      ),
      post(`${core}/pods`, pod("full", { limits: { cpu: "1500m", memory: "512Mi" } }), name),
      get(`${quotas}/q`, used),
      post(`${core}/pods`, pod("much", { limits: { cpu: "1500m", memory: "768Mi" } }), name),
      post(
        `${core}/pods`,
        pod(
          "init",
          { limits: { cpu: "100m", memory: "1Mi" } },
          {
            initContainers: [
              { name: "i", image: "b", resources: { limits: { cpu: "200m", memory: "2Mi" } } },
              { name: "s", image: "b", restartPolicy: "Always", resources: { limits: { cpu: "50m", memory: "1Mi" } } },
            ],
          },
        ),
        name,
      ),
      get(`${quotas}/q`, used),
      post(`${core}/pods`, pod("gpu", { limits: { cpu: "1m", memory: "1Mi", "example.com/gpu": "2" } }), name),
      post(`${core}/pods`, pod("gpu", { limits: { cpu: "1m", memory: "1Mi", "example.com/gpu": "1" } }), name),
      post(`${core}/pods`, pod("whole", {}, { resources: { limits: { cpu: "10m", memory: "10Mi" } } }), name),
      get(`${quotas}/q`, used),
      post(`${core}/pods`, pod("late", { limits: { cpu: "1m", memory: "1Mi" } }), name),
    ),
    wordingCase(
      "scopes decide which pods count",
      ...quota("cheap", { hard: { pods: "1" }, scopes: ["BestEffort"] }, { pods: "1" }, dry("pods", pod("x"))),
      ...quota(
        "short",
        {
          hard: { pods: "1" },
          scopeSelector: { matchExpressions: [{ scopeName: "Terminating", operator: "Exists" }] },
        },
        { pods: "1" },
        dry("pods", pod("x", { requests: { cpu: "1" } }, { activeDeadlineSeconds: 5 })),
      ),
      ...quota(
        "important",
        {
          hard: { pods: "0" },
          scopeSelector: {
            matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["system-node-critical"] }],
          },
        },
        { pods: "0" },
        dry("pods", pod("x", { requests: { cpu: "1" } }, { priorityClassName: "system-node-critical" })),
      ),
      post(`${core}/pods`, pod("a"), name),
      post(`${core}/pods`, pod("b", { requests: { cpu: "1" } }), name),
      patchSpec(`${core}/pods/b`, { activeDeadlineSeconds: 9 }, name),
      post(`${core}/pods`, pod("c", { requests: { cpu: "1" } }, { priorityClassName: "system-node-critical" }), name),
      get(`${quotas}/short`, used),
      get(`${quotas}/important`, used),
    ),
    wordingCase(
      "services are weighed by their type, also when it changes",
      ...quota(
        "q",
        { hard: { services: "3", "services.nodeports": "2", "services.loadbalancers": "0" } },
        { services: "0", "services.nodeports": "0", "services.loadbalancers": "0" },
        dry("services", { metadata: { name: "x" }, spec: { type: "LoadBalancer", ports: [{ port: 1 }] } }),
      ),
      createSpec(`${core}/services`, "a", { ports: [{ port: 1, name: "a" }] }, name),
      patchSpec(`${core}/services/a`, { type: "NodePort" }, name),
      get(`${quotas}/q`, used),
      patchSpec(
        `${core}/services/a`,
        {
          ports: [
            { port: 1, name: "a" },
            { port: 2, name: "b" },
            { port: 3, name: "c" },
          ],
        },
        name,
      ),
      patchSpec(`${core}/services/a`, { type: "LoadBalancer" }, name),
      mergePatch(`${core}/services/a`, { metadata: { labels: { a: "b" } } }, name),
      get(`${quotas}/q`, used),
    ),
    wordingCase(
      "claims are weighed by the storage that they ask for, also by class",
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
        {
          persistentvolumeclaims: "0",
          "requests.storage": "0",
          "fast.storageclass.storage.k8s.io/requests.storage": "0",
          "fast.storageclass.storage.k8s.io/persistentvolumeclaims": "0",
        },
        dry("persistentvolumeclaims", claim("x", "9Gi")),
      ),
      post(`${core}/persistentvolumeclaims`, claim("a", "2Gi"), name),
      post(`${core}/persistentvolumeclaims`, claim("b", "2Gi", { storageClassName: "fast" }), name),
      post(`${core}/persistentvolumeclaims`, claim("b", "1Gi", { storageClassName: "fast" }), name),
      post(`${core}/persistentvolumeclaims`, claim("c", "1Mi"), name),
      get(`${quotas}/q`, used),
    ),
    wordingCase(
      "a quota that does not tell what is used refuses what it cannot weigh",
      ...quota("q", { hard: { pods: "3", configmaps: "3" } }, { configmaps: "0" }, dry("pods", pod("x"))),
      post(`${core}/pods`, pod("a"), name),
      create(`${core}/configmaps`, "a", {}, name),
      get(`${quotas}/q`, used),
      get(`${quotas}/q`, { fields: ["metadata.managedFields"] }),
    ),
  ],
};

function claim(named: string, storage: string, spec: JsonObject = {}): JsonObject {
  return {
    metadata: { name: named },
    spec: { storageClassName: "none", accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
  };
}
