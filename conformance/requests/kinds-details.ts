import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, remove, type Subject, strategicPatch, subject, testCase } from "../test-case.js";
import { create, createSpec, getTable, patchSpec, replace } from "./object-steps.js";
import { container } from "./sample-objects.js";

const pods = "/api/v1/namespaces/{ns}/pods";
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
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
      env: [
        { name: "A", value: "1" },
        { name: "A", value: "x$(A)" },
        { name: "A", value: "3" },
      ],
      ports: [
        { containerPort: 80, name: "p" },
        { containerPort: 80, hostPort: 81 },
      ],
    }),
    container("c", "d", { ports: [{ containerPort: 80, name: "p" }] }),
  ],
};

/** Advice, paths below objects, and kinds without rules of their own. */
export const kindDetails: Subject = subject(
  "kinds-details",
  testCase(
    "odd pods are taken with warnings",
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
  ),
  testCase(
    "a Pod is resized on a path of its own",
    createSpec(pods, "p", {
      containers: [{ name: "a", image: "b", resources: { requests: { cpu: "1", memory: "1Gi" } } }],
    }),
    strategicPatch(`${pods}/p/resize`, {
      spec: { containers: [{ name: "a", resources: { requests: { cpu: "2" } } }] },
    }),
    strategicPatch(
      `${pods}/p`,
      { spec: { containers: [{ name: "a", resources: { requests: { cpu: "3" } } }] } },
      { fields: ["code", "reason"] },
    ),
    get(`${pods}/p/resize`),
  ),
  testCase(
    "objects of kinds without rules of their own are stored",
    create("/api/v1/namespaces/{ns}/serviceaccounts", "s"),
    getTable("/api/v1/namespaces/{ns}/serviceaccounts"),
    remove("/api/v1/namespaces/{ns}/serviceaccounts/s"),
    create("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", "a:b", {
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    }),
    create("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", "a/b", { rules: [] }),
    replace("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", "made", { rules: [] }),
    remove("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles/made"),
    createSpec("/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies", "n", {
      podSelector: {},
      policyTypes: ["Ingress"],
    }),
    patchSpec("/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies/n", { policyTypes: ["Egress"] }),
    replace("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases", "l", { spec: { holderIdentity: "me" } }),
    put("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l", { metadata: { name: "other" }, spec: {} }),
    put("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/m", { metadata: { name: "other" }, spec: {} }),
    createSpec("/apis/storage.k8s.io/v1/csidrivers", "{ns}.example.com", {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "File",
      requiresRepublish: false,
      seLinuxMount: false,
      volumeLifecycleModes: ["Persistent"],
    }),
    remove("/apis/storage.k8s.io/v1/csidrivers/{ns}.example.com"),
  ),
);
