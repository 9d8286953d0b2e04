import { type GoodKind, goodKind } from "./good-kind.js";
import { goodConditions } from "./good-pod-template.js";

const rules = [
  { apiGroups: ["", "apps"], resources: ["pods", "deployments/status"], verbs: ["get", "list"], resourceNames: ["a"] },
  { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
];
const subjects = [
  { kind: "User", name: "u", apiGroup: "rbac.authorization.k8s.io" },
  { kind: "Group", name: "g", apiGroup: "rbac.authorization.k8s.io" },
  { kind: "ServiceAccount", name: "s", namespace: "n" },
];
const webhook = {
  name: "a.example.com",
  clientConfig: { url: "https://127.0.0.1:1/x" },
  rules: [
    {
      operations: ["CREATE", "UPDATE"],
      apiGroups: ["none.example.com"],
      apiVersions: ["v1"],
      resources: ["nothings"],
      scope: "*",
    },
  ],
  failurePolicy: "Ignore",
  matchPolicy: "Exact",
  sideEffects: "None",
  timeoutSeconds: 1,
  admissionReviewVersions: ["v1"],
  namespaceSelector: { matchLabels: { none: "such" } },
  objectSelector: { matchExpressions: [{ key: "none", operator: "Exists" }] },
};
const byService = {
  ...webhook,
  name: "b.example.com",
  clientConfig: { service: { name: "s", namespace: "n", path: "/p", port: 8443 } },
  sideEffects: "NoneOnDryRun",
};
const rule = { operations: ["CREATE"], apiGroups: ["none.example.com"], apiVersions: ["v1"], resources: ["nothings"] };

/** Who may do what, and what is asked before it is done. */
export const goodAccess: readonly GoodKind[] = [
  goodKind({
    version: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    seesEmpty: true,
    plural: "roles",
    objects: [{ rules }],
  }),
  goodKind({
    version: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    seesEmpty: true,
    plural: "clusterroles",
    clusterName: "{ns}:a",
    objects: [
      { rules: [...rules, { nonResourceURLs: ["/x", "/y/*"], verbs: ["get"] }] },
      {
        aggregationRule: {
          clusterRoleSelectors: [
            { matchLabels: { none: "such" } },
            { matchExpressions: [{ key: "none", operator: "Exists" }] },
          ],
        },
      },
    ],
  }),
  goodKind({
    version: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    plural: "rolebindings",
    objects: [
      { subjects, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" } },
      { subjects: [], roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" } },
    ],
  }),
  goodKind({
    version: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    plural: "clusterrolebindings",
    clusterName: "{ns}:a",
    objects: [{ subjects, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" } }],
  }),
  goodKind({
    version: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    seesEmpty: true,
    plural: "validatingwebhookconfigurations",
    clusterName: "{ns}-a",
    objects: [{ webhooks: [webhook] }, { webhooks: [webhook, byService] }],
    isEffective: true,
  }),
  goodKind({
    version: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    seesEmpty: true,
    plural: "mutatingwebhookconfigurations",
    clusterName: "{ns}-a",
    objects: [{ webhooks: [{ ...webhook, reinvocationPolicy: "IfNeeded" }] }, { webhooks: [webhook, byService] }],
    isEffective: true,
  }),
  goodKind({
    version: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    plural: "validatingadmissionpolicybindings",
    clusterName: "{ns}-a",
    objects: [
      { spec: { policyName: "p", validationActions: ["Deny"] } },
      {
        spec: {
          policyName: "p.example.com",
          validationActions: ["Warn", "Audit"],
          paramRef: { name: "n", namespace: "m", parameterNotFoundAction: "Deny" },
          matchResources: {
            namespaceSelector: { matchLabels: { none: "such" } },
            objectSelector: { matchExpressions: [{ key: "none", operator: "Exists" }] },
            resourceRules: [{ ...rule, resourceNames: ["a"] }],
            excludeResourceRules: [rule],
            matchPolicy: "Exact",
          },
        },
      },
    ],
    isEffective: true,
  }),
  goodKind({
    version: "admissionregistration.k8s.io/v1",
    kind: "MutatingAdmissionPolicyBinding",
    plural: "mutatingadmissionpolicybindings",
    clusterName: "{ns}-a",
    objects: [
      { spec: { policyName: "p" } },
      {
        spec: {
          policyName: "p.example.com",
          paramRef: { selector: { matchLabels: { a: "b" } }, parameterNotFoundAction: "Allow" },
          matchResources: { resourceRules: [{ ...rule, resourceNames: ["a"] }], matchPolicy: "Equivalent" },
        },
      },
    ],
    isEffective: true,
  }),
  goodKind({
    version: "apiregistration.k8s.io/v1",
    kind: "APIService",
    isWatched: true,
    plural: "apiservices",
    clusterName: "v1.{group}",
    objects: [
      {
        spec: {
          group: "{group}",
          version: "v1",
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { name: "s", namespace: "n", port: 443 },
        },
      },
    ],
    statuses: [{ conditions: goodConditions }],
    isEffective: true,
  }),
];
