import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, type RequestStep, remove, subject, wording } from "../test-case.js";
import { create, createSpec, getTable, patchSpec, replace, table } from "./object-steps.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const roles = `${rbac}/namespaces/{ns}/roles`;
const bindings = `${rbac}/namespaces/{ns}/rolebindings`;
const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const admission = "/apis/admissionregistration.k8s.io/v1";
const flow = "/apis/flowcontrol.apiserver.k8s.io/v1";
const dra = "/apis/resource.k8s.io/v1";
const clusterRoles = `${rbac}/clusterroles`;
const clusterBindings = `${rbac}/clusterrolebindings`;
const policyBindings = `${admission}/validatingadmissionpolicybindings`;
const mutatingBindings = `${admission}/mutatingadmissionpolicybindings`;
const policies = `${admission}/validatingadmissionpolicies`;
const flowSchemas = `${flow}/flowschemas`;
const levels = `${flow}/prioritylevelconfigurations`;
const deviceClasses = `${dra}/deviceclasses`;
const resourceClaims = `${dra}/namespaces/{ns}/resourceclaims`;
const resourceClaimTemplates = `${dra}/namespaces/{ns}/resourceclaimtemplates`;
const resourceSlices = `${dra}/resourceslices`;

const role: JsonObject = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
const view = { kind: "ClusterRole", name: "view" };
const account = { kind: "ServiceAccount", name: "s" };
const user = { kind: "User", name: "u" };
const group = { kind: "Group", name: "g" };
const urlRule = { nonResourceURLs: ["/x"], verbs: ["get"] };
const rule: JsonObject = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
// Matches nothing that other cases create.
const elsewhere: JsonObject = { namespaceSelector: { matchLabels: { "case-of": "{ns}" } } };

/** A request for a device of this class. */
const requestOf = (deviceClassName: string): JsonObject => ({
  requests: [{ name: "r", exactly: { deviceClassName } }],
});

/** Creates a priority level of the type Limited. */
const createLimited = (name: string, limited: JsonObject): RequestStep =>
  createSpec(levels, name, { type: "Limited", limited });

function webhook(rest: JsonObject): JsonObject {
  return {
    name: "a.example.com",
    clientConfig: { url: "https://127.0.0.1:1/x" },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    rules: [rule],
    ...elsewhere,
    ...rest,
  };
}

function webhookSteps(plural: string): RequestStep[] {
  const path = `${admission}/${plural}`;
  return [
    create(path, "{ns}", { webhooks: [webhook({})] }),
    getTable(`${path}/{ns}`),
    create(path, "{ns}-none"),
    create(path, "{ns}-service", {
      webhooks: [webhook({ clientConfig: { service: { name: "s", namespace: "n" } }, rules: [] })],
    }),
    create(path, "{ns}-b", { webhooks: [{ name: "a.example.com" }] }),
    create(path, "{ns}-b", {
      webhooks: [
        webhook({ name: "short", clientConfig: {}, timeoutSeconds: 31, sideEffects: "Some" }),
        webhook({ clientConfig: { url: "http://x/y?a#b" }, failurePolicy: "Some", matchPolicy: "Some" }),
        webhook({ admissionReviewVersions: ["v9"], sideEffects: "Unknown" }),
      ],
    }),
    create(path, "{ns}-b", {
      webhooks: [
        webhook({
          clientConfig: { service: { name: "", namespace: "", port: 0, path: "x" } },
          rules: [
            {},
            { ...rule, operations: ["SOME", "*"], scope: "Some" },
            { ...rule, resources: ["*", "a/b/c", "pods"] },
          ],
          objectSelector: { matchLabels: { "a b": "c" } },
          matchConditions: [{ name: "a b", expression: "" }],
        }),
      ],
    }),
    mergePatch(`${path}/{ns}`, { webhooks: [webhook({ timeoutSeconds: 5 })] }),
    remove(`${path}/{ns}`),
    remove(`${path}/{ns}-service`),
  ];
}

/** RBAC, admission, DRA and flow control: defaults, validation, Tables. */
export const accessKinds = subject("kinds-access", {
  "rules of a Role are validated": wording(
    create(roles, "r", { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }),
    getTable(roles),
    create(roles, "empty"),
    create(roles, "bad", { rules: [{}] }),
    create(roles, "bad", { rules: [{ verbs: ["get"] }, { verbs: ["get"], resources: ["pods"] }] }),
    create(roles, "bad", { rules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }] }),
    mergePatch(`${roles}/r`, {
      rules: [{ apiGroups: ["apps"], resources: ["*"], verbs: ["*"], resourceNames: ["x"] }],
    }),
    replace(roles, "r"),
    remove(`${roles}/r`),
  ),
  "rules of a ClusterRole are validated": wording(
    create(clusterRoles, "{ns}:a", { rules: [urlRule] }),
    create(clusterRoles, "{ns}:b", { rules: [{ ...urlRule, apiGroups: [""], resources: ["pods"] }] }),
    create(clusterRoles, "{ns}:c", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "a b": "c" } }] } }),
    create(clusterRoles, "{ns}:c", { aggregationRule: {} }),
    getTable(`${clusterRoles}/{ns}:a`),
    mergePatch(`${clusterRoles}/{ns}:a`, { rules: [{ verbs: [] }] }),
  ),
  "a RoleBinding gets its defaults, and its roleRef is immutable": [
    create(bindings, "a", { roleRef: { kind: "Role", name: "r" }, subjects: [account, user, group] }),
    create(bindings, "b", { roleRef: role, subjects: [{ ...account, namespace: "{ns}" }, user, group] }),
    getTable(bindings),
    create(bindings, "c"),
    create(bindings, "c", { roleRef: { apiGroup: "x", kind: "K", name: "" }, subjects: [{}] }),
    create(bindings, "c", {
      roleRef: { ...role, name: "a/b" },
      subjects: [
        { kind: "ServiceAccount", name: "A_", apiGroup: "x" },
        { kind: "Other", name: "o" },
        { kind: "User", name: "u", apiGroup: "x" },
      ],
    }),
    mergePatch(`${bindings}/b`, { roleRef: { name: "other" } }),
    mergePatch(`${bindings}/b`, { subjects: null }),
    getTable(bindings),
  ],
  "a ClusterRoleBinding rejects a Role": [
    create(clusterBindings, "{ns}:a", { roleRef: view }),
    getTable(`${clusterBindings}/{ns}:a`),
    create(clusterBindings, "{ns}:b", { roleRef: role }),
    create(clusterBindings, "{ns}:b", { roleRef: view, subjects: [account] }),
    mergePatch(`${clusterBindings}/{ns}:a`, { roleRef: { name: "edit" } }),
  ],
  "a ServiceAccount names its secrets": [
    create(accounts, "a", {
      secrets: [{ name: "s" }],
      imagePullSecrets: [{ name: "p" }],
      automountServiceAccountToken: false,
    }),
    getTable(accounts),
    mergePatch(`${accounts}/a`, { secrets: null }),
    post(accounts, { metadata: { name: "b", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } }),
    remove(`${accounts}/a`),
  ],
  "a ValidatingWebhookConfiguration gets its defaults and is validated": webhookSteps(
    "validatingwebhookconfigurations",
  ),
  "a MutatingWebhookConfiguration gets its defaults and is validated": webhookSteps("mutatingwebhookconfigurations"),
  "a ValidatingAdmissionPolicyBinding is validated": wording(
    createSpec(policyBindings, "{ns}", { policyName: "p", validationActions: ["Deny"], matchResources: elsewhere }),
    getTable(`${policyBindings}/{ns}`),
    createSpec(policyBindings, "{ns}-b", {}),
    createSpec(policyBindings, "{ns}-b", {
      policyName: "A_",
      validationActions: ["Deny", "Warn", "Deny", "Some"],
      paramRef: {},
    }),
    patchSpec(`${policyBindings}/{ns}`, { validationActions: ["Audit"] }),
  ),
  "a ValidatingAdmissionPolicy is validated": wording(
    createSpec(policies, "{ns}", {}),
    createSpec(policies, "{ns}", {
      failurePolicy: "Some",
      paramKind: {},
      matchConstraints: { ...elsewhere, resourceRules: [{}] },
      matchConditions: [{ name: "", expression: "" }],
      validations: [{ expression: "" }, { expression: " ", message: "a\nb", reason: "Some" }],
    }),
    createSpec(`${admission}/mutatingadmissionpolicies`, "{ns}", {}),
    createSpec(mutatingBindings, "{ns}", { policyName: "p", matchResources: elsewhere }),
    createSpec(mutatingBindings, "{ns}-b", { paramRef: {} }),
    getTable(`${mutatingBindings}/{ns}`),
    createSpec(policies, "{ns}", {
      matchConstraints: { ...elsewhere, resourceRules: [rule] },
      validations: [{ expression: "true" }],
    }),
  ),
  "a ResourceClaim requests devices": [
    createSpec(deviceClasses, "{ns}.example.com", {}),
    getTable(`${deviceClasses}/{ns}.example.com`),
    createSpec(resourceClaims, "a", { devices: requestOf("{ns}.example.com") }),
    getTable(resourceClaims),
    patchSpec(`${resourceClaims}/a`, { devices: { requests: [] } }, { fields: ["code"] }),
    createSpec(resourceClaimTemplates, "t", { spec: { devices: requestOf("c.example.com") } }),
    getTable(resourceClaimTemplates),
    createSpec(resourceSlices, "{ns}", {
      driver: "d.example.com",
      nodeName: "n",
      pool: { name: "p", generation: 1, resourceSliceCount: 1 },
      devices: [{ name: "d" }],
    }),
    getTable(`${resourceSlices}/{ns}`),
  ],
  "a FlowSchema gets its defaults and is validated": wording(
    createSpec(flowSchemas, "{ns}", { priorityLevelConfiguration: { name: "catch-all" } }),
    get(`${flowSchemas}/{ns}`, { ...table, fields: ["columnDefinitions"] }),
    createSpec(flowSchemas, "{ns}-b", {}),
    createSpec(flowSchemas, "{ns}-b", {
      matchingPrecedence: 20000,
      priorityLevelConfiguration: { name: "A_" },
      distinguisherMethod: { type: "Some" },
      rules: [{}, { subjects: [{ kind: "Some" }, { kind: "User" }], resourceRules: [{}] }],
    }),
    createSpec(flowSchemas, "{ns}-c", {
      matchingPrecedence: 50,
      priorityLevelConfiguration: { name: "workload-low" },
      distinguisherMethod: { type: "ByUser" },
      rules: [
        {
          subjects: [{ kind: "Group", group: { name: "{ns}" } }],
          resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"] }],
          nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }],
        },
      ],
    }),
    get(`${flowSchemas}/{ns}-c`, { ...table, fields: ["columnDefinitions"] }),
    patchSpec(`${flowSchemas}/{ns}-c`, { matchingPrecedence: 60 }, { fields: ["spec"] }),
  ),
  "a PriorityLevelConfiguration gets its defaults and is validated": wording(
    createSpec(levels, "{ns}", { type: "Limited", limited: {} }),
    getTable(`${levels}/{ns}`),
    createSpec(levels, "{ns}-b", {}),
    createSpec(levels, "{ns}-b", { type: "Limited" }),
    createSpec(levels, "{ns}-b", { type: "Some" }),
    createLimited("{ns}-b", { nominalConcurrencyShares: -1, limitResponse: { type: "Reject", queuing: {} } }),
    createLimited("{ns}-b", {
      limitResponse: { type: "Queue", queuing: { queues: 4, handSize: 8, queueLengthLimit: -1 } },
    }),
    createSpec(levels, "{ns}-e", { type: "Exempt" }),
    createLimited("{ns}-q", { limitResponse: { type: "Queue", queuing: {} } }),
    getTable(`${levels}/{ns}-q`),
  ),
  "a new server has the default FlowSchemas and PriorityLevelConfigurations": [
    get(`${flowSchemas}/catch-all`, { fields: ["apiVersion", "kind", "spec"] }),
    get(`${flowSchemas}/exempt`, { fields: ["apiVersion", "kind", "spec"] }),
    ...[
      "system-nodes",
      "system-node-high",
      "probes",
      "system-leader-election",
      "endpoint-controller",
      "workload-leader-election",
      "kube-controller-manager",
      "kube-scheduler",
      "kube-system-service-accounts",
      "service-accounts",
      "global-default",
    ].map((name) => get(`${flowSchemas}/${name}`, { fields: ["spec"] })),
    ...[
      "exempt",
      "catch-all",
      "system",
      "node-high",
      "leader-election",
      "workload-high",
      "workload-low",
      "global-default",
    ].map((name) => get(`${levels}/${name}`, { fields: ["spec"] })),
  ],
});
