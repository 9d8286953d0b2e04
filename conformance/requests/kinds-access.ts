import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, remove, type Subject, testCase, wordingCase } from "../test-case.js";
import { create, createSpec, getTable, patchSpec, replace, table } from "./object-steps.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const roles = `${rbac}/namespaces/{ns}/roles`;
const bindings = `${rbac}/namespaces/{ns}/rolebindings`;
const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const admission = "/apis/admissionregistration.k8s.io/v1";
const flow = "/apis/flowcontrol.apiserver.k8s.io/v1";
const devices = "/apis/resource.k8s.io/v1";

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
  );
}

/** Who may do what, and what is asked before a write: defaults, rules, tables. */
export const accessKinds: Subject = {
  name: "kinds-access",
  cases: [
    wordingCase(
      "rules of a Role are checked",
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
    wordingCase(
      "rules of a ClusterRole are checked",
      create(`${rbac}/clusterroles`, "{ns}:a", { rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] }),
      create(`${rbac}/clusterroles`, "{ns}:b", {
        rules: [{ nonResourceURLs: ["/x"], verbs: ["get"], apiGroups: [""], resources: ["pods"] }],
      }),
      create(`${rbac}/clusterroles`, "{ns}:c", {
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "a b": "c" } }] },
      }),
      create(`${rbac}/clusterroles`, "{ns}:c", { aggregationRule: {} }),
      getTable(`${rbac}/clusterroles/{ns}:a`),
      mergePatch(`${rbac}/clusterroles/{ns}:a`, { rules: [{ verbs: [] }] }),
    ),
    testCase(
      "a RoleBinding gets its defaults, and its role does not change",
      create(bindings, "a", {
        roleRef: { kind: "Role", name: "r" },
        subjects: [
          { kind: "ServiceAccount", name: "s" },
          { kind: "User", name: "u" },
          { kind: "Group", name: "g" },
        ],
      }),
      create(bindings, "b", {
        roleRef: role,
        subjects: [
          { kind: "ServiceAccount", name: "s", namespace: "{ns}" },
          { kind: "User", name: "u" },
          { kind: "Group", name: "g" },
        ],
      }),
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
    ),
    testCase(
      "a ClusterRoleBinding takes no Role",
      create(`${rbac}/clusterrolebindings`, "{ns}:a", { roleRef: { kind: "ClusterRole", name: "view" } }),
      getTable(`${rbac}/clusterrolebindings/{ns}:a`),
      create(`${rbac}/clusterrolebindings`, "{ns}:b", { roleRef: role }),
      create(`${rbac}/clusterrolebindings`, "{ns}:b", {
        roleRef: { kind: "ClusterRole", name: "view" },
        subjects: [{ kind: "ServiceAccount", name: "s" }],
      }),
      mergePatch(`${rbac}/clusterrolebindings/{ns}:a`, { roleRef: { name: "edit" } }),
    ),
    testCase(
      "a ServiceAccount names its secrets",
      create(accounts, "a", {
        secrets: [{ name: "s" }],
        imagePullSecrets: [{ name: "p" }],
        automountServiceAccountToken: false,
      }),
      getTable(accounts),
      mergePatch(`${accounts}/a`, { secrets: null }),
      post(accounts, { metadata: { name: "b", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } }),
      remove(`${accounts}/a`),
    ),
    webhookCases("validatingwebhookconfigurations", "ValidatingWebhookConfiguration"),
    webhookCases("mutatingwebhookconfigurations", "MutatingWebhookConfiguration"),
    wordingCase(
      "a binding of a policy is checked",
      createSpec(`${admission}/validatingadmissionpolicybindings`, "{ns}", {
        policyName: "p",
        validationActions: ["Deny"],
        matchResources: elsewhere,
      }),
      getTable(`${admission}/validatingadmissionpolicybindings/{ns}`),
      createSpec(`${admission}/validatingadmissionpolicybindings`, "{ns}-b", {}),
      createSpec(`${admission}/validatingadmissionpolicybindings`, "{ns}-b", {
        policyName: "A_",
        validationActions: ["Deny", "Warn", "Deny", "Some"],
        paramRef: {},
      }),
      patchSpec(`${admission}/validatingadmissionpolicybindings/{ns}`, { validationActions: ["Audit"] }),
    ),
    wordingCase(
      "the form of a policy is checked",
      createSpec(`${admission}/validatingadmissionpolicies`, "{ns}", {}),
      createSpec(`${admission}/validatingadmissionpolicies`, "{ns}", {
        failurePolicy: "Some",
        paramKind: {},
        matchConstraints: { ...elsewhere, resourceRules: [{}] },
        matchConditions: [{ name: "", expression: "" }],
        validations: [{ expression: "" }, { expression: " ", message: "a\nb", reason: "Some" }],
      }),
      createSpec(`${admission}/mutatingadmissionpolicies`, "{ns}", {}),
      createSpec(`${admission}/mutatingadmissionpolicybindings`, "{ns}", {
        policyName: "p",
        matchResources: elsewhere,
      }),
      createSpec(`${admission}/mutatingadmissionpolicybindings`, "{ns}-b", { paramRef: {} }),
      getTable(`${admission}/mutatingadmissionpolicybindings/{ns}`),
      createSpec(`${admission}/validatingadmissionpolicies`, "{ns}", {
        matchConstraints: { ...elsewhere, resourceRules: [rule] },
        validations: [{ expression: "true" }],
      }),
    ),
    testCase(
      "devices are asked for",
      createSpec(`${devices}/deviceclasses`, "{ns}.example.com", {}),
      getTable(`${devices}/deviceclasses/{ns}.example.com`),
      createSpec(`${devices}/namespaces/{ns}/resourceclaims`, "a", {
        devices: { requests: [{ name: "r", exactly: { deviceClassName: "{ns}.example.com" } }] },
      }),
      getTable(`${devices}/namespaces/{ns}/resourceclaims`),
      patchSpec(`${devices}/namespaces/{ns}/resourceclaims/a`, { devices: { requests: [] } }, { fields: ["code"] }),
      createSpec(`${devices}/namespaces/{ns}/resourceclaimtemplates`, "t", {
        spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "c.example.com" } }] } },
      }),
      getTable(`${devices}/namespaces/{ns}/resourceclaimtemplates`),
      createSpec(`${devices}/resourceslices`, "{ns}", {
        driver: "d.example.com",
        nodeName: "n",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        devices: [{ name: "d" }],
      }),
      getTable(`${devices}/resourceslices/{ns}`),
    ),
    wordingCase(
      "a FlowSchema gets its defaults, and is checked",
      createSpec(`${flow}/flowschemas`, "{ns}", { priorityLevelConfiguration: { name: "catch-all" } }),
      get(`${flow}/flowschemas/{ns}`, { ...table, fields: ["columnDefinitions"] }),
      createSpec(`${flow}/flowschemas`, "{ns}-b", {}),
      createSpec(`${flow}/flowschemas`, "{ns}-b", {
        matchingPrecedence: 20000,
        priorityLevelConfiguration: { name: "A_" },
        distinguisherMethod: { type: "Some" },
        rules: [{}, { subjects: [{ kind: "Some" }, { kind: "User" }], resourceRules: [{}] }],
      }),
      createSpec(`${flow}/flowschemas`, "{ns}-c", {
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
      get(`${flow}/flowschemas/{ns}-c`, { ...table, fields: ["columnDefinitions"] }),
      patchSpec(`${flow}/flowschemas/{ns}-c`, { matchingPrecedence: 60 }, { fields: ["spec"] }),
    ),
    wordingCase(
      "a PriorityLevelConfiguration gets its defaults, and is checked",
      createSpec(`${flow}/prioritylevelconfigurations`, "{ns}", { type: "Limited", limited: {} }),
      getTable(`${flow}/prioritylevelconfigurations/{ns}`),
      createSpec(`${flow}/prioritylevelconfigurations`, "{ns}-b", {}),
      createSpec(`${flow}/prioritylevelconfigurations`, "{ns}-b", { type: "Limited" }),
      createSpec(`${flow}/prioritylevelconfigurations`, "{ns}-b", { type: "Some" }),
      createSpec(`${flow}/prioritylevelconfigurations`, "{ns}-b", {
        type: "Limited",
        limited: { nominalConcurrencyShares: -1, limitResponse: { type: "Reject", queuing: {} } },
      }),
      createSpec(`${flow}/prioritylevelconfigurations`, "{ns}-b", {
        type: "Limited",
        limited: { limitResponse: { type: "Queue", queuing: { queues: 4, handSize: 8, queueLengthLimit: -1 } } },
      }),
      createSpec(`${flow}/prioritylevelconfigurations`, "{ns}-e", { type: "Exempt" }),
      createSpec(`${flow}/prioritylevelconfigurations`, "{ns}-q", {
        type: "Limited",
        limited: { limitResponse: { type: "Queue", queuing: {} } },
      }),
      getTable(`${flow}/prioritylevelconfigurations/{ns}-q`),
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
