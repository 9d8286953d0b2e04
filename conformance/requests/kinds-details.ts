import type { JsonObject } from "@kubewright/core/json";
import { mergePatch, post, put, remove, subject } from "../test-case.js";
import { create, createSpec, getTable, patchSpec, replace } from "./object-steps.js";
import { container, deployments, leases, pods } from "./sample-objects.js";

const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles";
const policies = "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies";
const drivers = "/apis/storage.k8s.io/v1/csidrivers";
const odd: JsonObject = {
  nodeSelector: { "beta.kubernetes.io/os": "linux" },
  hostAliases: [{ ip: "1.2.3.4" }, { ip: "1.2.3.4" }],
  imagePullSecrets: [{ name: "a" }, { name: "a" }],
  terminationGracePeriodSeconds: -1,
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "ScheduleAnyway" }],
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "z" }] } },
  volumes: [{ name: "r", rbd: { monitors: ["m"], image: "i" } }],
  containers: [
    container("a", "b", {
      resources: { limits: { memory: "100m" } },
      env: ["1", "x$(A)", "3"].map((value) => ({ name: "A", value })),
      ports: [
        { containerPort: 80, name: "p" },
        { containerPort: 80, hostPort: 81 },
      ],
    }),
    container("c", "d", { ports: [{ containerPort: 80, name: "p" }] }),
  ],
};

/** Warnings, and kinds without validation. */
export const kindDetails = subject("kinds-details", {
  "unusual pods are accepted with warnings": [
    post(pods, {
      metadata: { name: "p", annotations: { "scheduler.alpha.kubernetes.io/critical-pod": "" } },
      spec: odd,
    }),
    createSpec(deployments, "d", {
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: odd },
    }),
    mergePatch(`${deployments}/d`, { metadata: { labels: { x: "y" } } }),
    patchSpec(`${deployments}/d`, { replicas: 2 }),
    mergePatch(`${pods}/p`, { metadata: { labels: { x: "y" } } }),
  ],
  "objects of kinds without validation are stored": [
    create(accounts, "s"),
    getTable(accounts),
    remove(`${accounts}/s`),
    create(roles, "a:b", { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }),
    create(roles, "a/b", { rules: [] }),
    replace(roles, "made", { rules: [] }),
    remove(`${roles}/made`),
    createSpec(policies, "n", { podSelector: {}, policyTypes: ["Ingress"] }),
    patchSpec(`${policies}/n`, { policyTypes: ["Egress"] }),
    replace(leases, "l", { spec: { holderIdentity: "me" } }),
    put(`${leases}/l`, { metadata: { name: "other" }, spec: {} }),
    put(`${leases}/m`, { metadata: { name: "other" }, spec: {} }),
    createSpec(drivers, "{ns}.example.com", {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "File",
      requiresRepublish: false,
      seLinuxMount: false,
      volumeLifecycleModes: ["Persistent"],
    }),
    remove(`${drivers}/{ns}.example.com`),
  ],
});
