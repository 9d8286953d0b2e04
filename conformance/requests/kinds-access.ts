import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, remove, type Subject, testCase, wordingCase } from "../test-case.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const roles = `${rbac}/namespaces/{ns}/roles`;
const bindings = `${rbac}/namespaces/{ns}/rolebindings`;
const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const admission = "/apis/admissionregistration.k8s.io/v1";
const flow = "/apis/flowcontrol.apiserver.k8s.io/v1";
const devices = "/apis/resource.k8s.io/v1";
const table = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

const role: JsonObject = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
const rule: JsonObject = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
// Nothing that other cases create is chosen.
const elsewhere: JsonObject = { namespaceSelector: { matchLabels: { "case-of": "{ns}" } } };

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

function webhookCases(plural: string, kind: string) {
  const path = `${admission}/${plural}`;
  return testCase(
    `a ${kind} gets its defaults, and is checked`,
    post(path, { metadata: { name: "{ns}" }, webhooks: [webhook({})] }),
    get(`${path}/{ns}`, table),
    post(path, { metadata: { name: "{ns}-none" } }),
    post(path, {
      metadata: { name: "{ns}-service" },
      webhooks: [webhook({ clientConfig: { service: { name: "s", namespace: "n" } }, rules: [] })],
    }),
    post(path, { metadata: { name: "{ns}-b" }, webhooks: [{ name: "a.example.com" }] }),
    post(path, {
      metadata: { name: "{ns}-b" },
      webhooks: [
        webhook({ name: "short", clientConfig: {}, timeoutSeconds: 31, sideEffects: "Some" }),
        webhook({ clientConfig: { url: "http://x/y?a#b" }, failurePolicy: "Some", matchPolicy: "Some" }),
        webhook({ admissionReviewVersions: ["v9"], sideEffects: "Unknown" }),
      ],
    }),
    post(path, {
      metadata: { name: "{ns}-b" },
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
  );
}

/** Who may do what, and what is asked before a write: defaults, rules, tables. */
export const accessKinds: Subject = {
  name: "kinds-access",
  cases: [
    wordingCase(
      "rules of a Role are checked",
      post(roles, { metadata: { name: "r" }, rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }),
      get(roles, table),
      post(roles, { metadata: { name: "empty" } }),
      post(roles, { metadata: { name: "bad" }, rules: [{}] }),
      post(roles, { metadata: { name: "bad" }, rules: [{ verbs: ["get"] }, { verbs: ["get"], resources: ["pods"] }] }),
      post(roles, { metadata: { name: "bad" }, rules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }] }),
      mergePatch(`${roles}/r`, {
        rules: [{ apiGroups: ["apps"], resources: ["*"], verbs: ["*"], resourceNames: ["x"] }],
      }),
      put(`${roles}/r`, { metadata: { name: "r" } }),
      remove(`${roles}/r`),
    ),
    wordingCase(
      "rules of a ClusterRole are checked",
      post(`${rbac}/clusterroles`, {
        metadata: { name: "{ns}:a" },
        rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }],
      }),
      post(`${rbac}/clusterroles`, {
        metadata: { name: "{ns}:b" },
        rules: [{ nonResourceURLs: ["/x"], verbs: ["get"], apiGroups: [""], resources: ["pods"] }],
      }),
      post(`${rbac}/clusterroles`, {
        metadata: { name: "{ns}:c" },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "a b": "c" } }] },
      }),
      post(`${rbac}/clusterroles`, { metadata: { name: "{ns}:c" }, aggregationRule: {} }),
      get(`${rbac}/clusterroles/{ns}:a`, table),
      mergePatch(`${rbac}/clusterroles/{ns}:a`, { rules: [{ verbs: [] }] }),
    ),
    testCase(
      "a RoleBinding gets its defaults, and its role does not change",
      post(bindings, {
        metadata: { name: "a" },
        roleRef: { kind: "Role", name: "r" },
        subjects: [
          { kind: "ServiceAccount", name: "s" },
          { kind: "User", name: "u" },
          { kind: "Group", name: "g" },
        ],
      }),
      post(bindings, {
        metadata: { name: "b" },
        roleRef: role,
        subjects: [
          { kind: "ServiceAccount", name: "s", namespace: "{ns}" },
          { kind: "User", name: "u" },
          { kind: "Group", name: "g" },
        ],
      }),
      get(bindings, table),
      post(bindings, { metadata: { name: "c" } }),
      post(bindings, { metadata: { name: "c" }, roleRef: { apiGroup: "x", kind: "K", name: "" }, subjects: [{}] }),
      post(bindings, {
        metadata: { name: "c" },
        roleRef: { ...role, name: "a/b" },
        subjects: [
          { kind: "ServiceAccount", name: "A_", apiGroup: "x" },
          { kind: "Other", name: "o" },
          { kind: "User", name: "u", apiGroup: "x" },
        ],
      }),
      mergePatch(`${bindings}/b`, { roleRef: { name: "other" } }),
      mergePatch(`${bindings}/b`, { subjects: null }),
      get(bindings, table),
    ),
    testCase(
      "a ClusterRoleBinding takes no Role",
      post(`${rbac}/clusterrolebindings`, {
        metadata: { name: "{ns}:a" },
        roleRef: { kind: "ClusterRole", name: "view" },
      }),
      get(`${rbac}/clusterrolebindings/{ns}:a`, table),
      post(`${rbac}/clusterrolebindings`, { metadata: { name: "{ns}:b" }, roleRef: role }),
      post(`${rbac}/clusterrolebindings`, {
        metadata: { name: "{ns}:b" },
        roleRef: { kind: "ClusterRole", name: "view" },
        subjects: [{ kind: "ServiceAccount", name: "s" }],
      }),
      mergePatch(`${rbac}/clusterrolebindings/{ns}:a`, { roleRef: { name: "edit" } }),
    ),
    testCase(
      "a ServiceAccount names its secrets",
      post(accounts, {
        metadata: { name: "a" },
        secrets: [{ name: "s" }],
        imagePullSecrets: [{ name: "p" }],
        automountServiceAccountToken: false,
      }),
      get(accounts, table),
      mergePatch(`${accounts}/a`, { secrets: null }),
      post(accounts, { metadata: { name: "b", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } }),
      remove(`${accounts}/a`),
    ),
    webhookCases("validatingwebhookconfigurations", "ValidatingWebhookConfiguration"),
    webhookCases("mutatingwebhookconfigurations", "MutatingWebhookConfiguration"),
    wordingCase(
      "a binding of a policy is checked",
      post(`${admission}/validatingadmissionpolicybindings`, {
        metadata: { name: "{ns}" },
        spec: { policyName: "p", validationActions: ["Deny"], matchResources: elsewhere },
      }),
      get(`${admission}/validatingadmissionpolicybindings/{ns}`, table),
      post(`${admission}/validatingadmissionpolicybindings`, { metadata: { name: "{ns}-b" }, spec: {} }),
      post(`${admission}/validatingadmissionpolicybindings`, {
        metadata: { name: "{ns}-b" },
        spec: { policyName: "A_", validationActions: ["Deny", "Warn", "Deny", "Some"], paramRef: {} },
      }),
      mergePatch(`${admission}/validatingadmissionpolicybindings/{ns}`, { spec: { validationActions: ["Audit"] } }),
    ),
    wordingCase(
      "the form of a policy is checked",
      post(`${admission}/validatingadmissionpolicies`, { metadata: { name: "{ns}" }, spec: {} }),
      post(`${admission}/validatingadmissionpolicies`, {
        metadata: { name: "{ns}" },
        spec: {
          failurePolicy: "Some",
          paramKind: {},
          matchConstraints: { ...elsewhere, resourceRules: [{}] },
          matchConditions: [{ name: "", expression: "" }],
          validations: [{ expression: "" }, { expression: " ", message: "a\nb", reason: "Some" }],
        },
      }),
      post(`${admission}/mutatingadmissionpolicies`, { metadata: { name: "{ns}" }, spec: {} }),
      post(`${admission}/mutatingadmissionpolicybindings`, {
        metadata: { name: "{ns}" },
        spec: { policyName: "p", matchResources: elsewhere },
      }),
      post(`${admission}/mutatingadmissionpolicybindings`, { metadata: { name: "{ns}-b" }, spec: { paramRef: {} } }),
      get(`${admission}/mutatingadmissionpolicybindings/{ns}`, table),
      post(`${admission}/validatingadmissionpolicies`, {
        metadata: { name: "{ns}" },
        spec: { matchConstraints: { ...elsewhere, resourceRules: [rule] }, validations: [{ expression: "true" }] },
      }),
    ),
    testCase(
      "devices are asked for",
      post(`${devices}/deviceclasses`, { metadata: { name: "{ns}.example.com" }, spec: {} }),
      get(`${devices}/deviceclasses/{ns}.example.com`, table),
      post(`${devices}/namespaces/{ns}/resourceclaims`, {
        metadata: { name: "a" },
        spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "{ns}.example.com" } }] } },
      }),
      get(`${devices}/namespaces/{ns}/resourceclaims`, table),
      mergePatch(
        `${devices}/namespaces/{ns}/resourceclaims/a`,
        { spec: { devices: { requests: [] } } },
        { fields: ["code"] },
      ),
      post(`${devices}/namespaces/{ns}/resourceclaimtemplates`, {
        metadata: { name: "t" },
        spec: { spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "c.example.com" } }] } } },
      }),
      get(`${devices}/namespaces/{ns}/resourceclaimtemplates`, table),
      post(`${devices}/resourceslices`, {
        metadata: { name: "{ns}" },
        spec: {
          driver: "d.example.com",
          nodeName: "n",
          pool: { name: "p", generation: 1, resourceSliceCount: 1 },
          devices: [{ name: "d" }],
        },
      }),
      get(`${devices}/resourceslices/{ns}`, table),
    ),
    wordingCase(
      "a FlowSchema gets its defaults, and is checked",
      post(`${flow}/flowschemas`, {
        metadata: { name: "{ns}" },
        spec: { priorityLevelConfiguration: { name: "catch-all" } },
      }),
      get(`${flow}/flowschemas/{ns}`, { ...table, fields: ["columnDefinitions"] }),
      post(`${flow}/flowschemas`, { metadata: { name: "{ns}-b" }, spec: {} }),
      post(`${flow}/flowschemas`, {
        metadata: { name: "{ns}-b" },
        spec: {
          matchingPrecedence: 20000,
          priorityLevelConfiguration: { name: "A_" },
          distinguisherMethod: { type: "Some" },
          rules: [{}, { subjects: [{ kind: "Some" }, { kind: "User" }], resourceRules: [{}] }],
        },
      }),
      post(`${flow}/flowschemas`, {
        metadata: { name: "{ns}-c" },
        spec: {
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
        },
      }),
      get(`${flow}/flowschemas/{ns}-c`, { ...table, fields: ["columnDefinitions"] }),
      mergePatch(`${flow}/flowschemas/{ns}-c`, { spec: { matchingPrecedence: 60 } }, { fields: ["spec"] }),
    ),
    wordingCase(
      "a PriorityLevelConfiguration gets its defaults, and is checked",
      post(`${flow}/prioritylevelconfigurations`, {
        metadata: { name: "{ns}" },
        spec: { type: "Limited", limited: {} },
      }),
      get(`${flow}/prioritylevelconfigurations/{ns}`, table),
      post(`${flow}/prioritylevelconfigurations`, { metadata: { name: "{ns}-b" }, spec: {} }),
      post(`${flow}/prioritylevelconfigurations`, { metadata: { name: "{ns}-b" }, spec: { type: "Limited" } }),
      post(`${flow}/prioritylevelconfigurations`, { metadata: { name: "{ns}-b" }, spec: { type: "Some" } }),
      post(`${flow}/prioritylevelconfigurations`, {
        metadata: { name: "{ns}-b" },
        spec: {
          type: "Limited",
          limited: { nominalConcurrencyShares: -1, limitResponse: { type: "Reject", queuing: {} } },
        },
      }),
      post(`${flow}/prioritylevelconfigurations`, {
        metadata: { name: "{ns}-b" },
        spec: {
          type: "Limited",
          limited: { limitResponse: { type: "Queue", queuing: { queues: 4, handSize: 8, queueLengthLimit: -1 } } },
        },
      }),
      post(`${flow}/prioritylevelconfigurations`, { metadata: { name: "{ns}-e" }, spec: { type: "Exempt" } }),
      post(`${flow}/prioritylevelconfigurations`, {
        metadata: { name: "{ns}-q" },
        spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } },
      }),
      get(`${flow}/prioritylevelconfigurations/{ns}-q`, table),
    ),
    testCase(
      "a fresh server shares itself fairly",
      get(`${flow}/flowschemas/catch-all`, { fields: ["apiVersion", "kind", "spec"] }),
      get(`${flow}/flowschemas/exempt`, { fields: ["apiVersion", "kind", "spec"] }),
      get(`${flow}/flowschemas/system-nodes`, { fields: ["spec"] }),
      get(`${flow}/flowschemas/system-node-high`, { fields: ["spec"] }),
      get(`${flow}/flowschemas/probes`, { fields: ["spec"] }),
      get(`${flow}/flowschemas/system-leader-election`, { fields: ["spec"] }),
      get(`${flow}/flowschemas/endpoint-controller`, { fields: ["spec"] }),
      get(`${flow}/flowschemas/workload-leader-election`, { fields: ["spec"] }),
      get(`${flow}/flowschemas/kube-controller-manager`, { fields: ["spec"] }),
      get(`${flow}/flowschemas/kube-scheduler`, { fields: ["spec"] }),
      get(`${flow}/flowschemas/kube-system-service-accounts`, { fields: ["spec"] }),
      get(`${flow}/flowschemas/service-accounts`, { fields: ["spec"] }),
      get(`${flow}/flowschemas/global-default`, { fields: ["spec"] }),
      get(`${flow}/prioritylevelconfigurations/exempt`, { fields: ["spec"] }),
      get(`${flow}/prioritylevelconfigurations/catch-all`, { fields: ["spec"] }),
      get(`${flow}/prioritylevelconfigurations/system`, { fields: ["spec"] }),
      get(`${flow}/prioritylevelconfigurations/node-high`, { fields: ["spec"] }),
      get(`${flow}/prioritylevelconfigurations/leader-election`, { fields: ["spec"] }),
      get(`${flow}/prioritylevelconfigurations/workload-high`, { fields: ["spec"] }),
      get(`${flow}/prioritylevelconfigurations/workload-low`, { fields: ["spec"] }),
      get(`${flow}/prioritylevelconfigurations/global-default`, { fields: ["spec"] }),
    ),
  ],
};
