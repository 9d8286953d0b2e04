import type { JsonObject } from "@kubewright/core/json";
import {
  mergePatch,
  post,
  put,
  type RequestStep,
  remove,
  type Step,
  type Steps,
  subject,
  wording,
} from "../test-case.js";
import { configMap, configMaps, deployment, deployments, secrets } from "./sample-objects.js";
import { cleaningUp, hook, rule, validating, validatingConfigurations } from "./webhook-steps.js";

const denies = (fields: JsonObject): JsonObject => hook("deny", { deny: { message: "no" } }, fields);
const createMap = post(configMaps, configMap("a"));
const scale = mergePatch(`${deployments}/d/scale`, { spec: { replicas: 2 } });
const status = mergePatch(`${deployments}/d/status`, { status: { replicas: 1 } });
const before: Step = { ...post(deployments, deployment("d")), silent: true };
const requests: readonly Step[] = [
  createMap,
  post(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
  status,
  scale,
];

const rules: Readonly<Record<string, JsonObject>> = {
  configmaps: {},
  "no operation of the requests": { operations: ["DELETE"] },
  creates: { operations: ["CREATE"], resources: ["*"] },
  "creates and updates of everything": { operations: ["CREATE", "UPDATE"], apiGroups: ["*"], resources: ["*/*"] },
  "all resources": { resources: ["*"] },
  "all subresources": { apiGroups: ["*"], resources: ["*/*"] },
  "all subresources of deployments": { apiGroups: ["apps"], resources: ["deployments/*"] },
  "the scale of everything": { apiGroups: ["*"], resources: ["*/scale"] },
  "the status of deployments": { apiGroups: ["apps"], resources: ["deployments/status"] },
  "another version": { apiVersions: ["v2"] },
  "every version": { apiVersions: ["*"] },
  "another group": { apiGroups: ["example.com"] },
  "the group apps": { apiGroups: ["apps"], resources: ["*"] },
  "namespaced resources": { scope: "Namespaced" },
  "cluster-scoped resources": { scope: "Cluster" },
};

const selected: Readonly<Record<string, JsonObject>> = {
  "a label": { matchLabels: { app: "a" } },
  "another value": { matchLabels: { app: "b" } },
  "one of several values": { matchExpressions: [{ key: "app", operator: "In", values: ["a", "b"] }] },
  "none of several values": { matchExpressions: [{ key: "app", operator: "NotIn", values: ["a", "b"] }] },
  "a missing label": { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] },
  "an existing label": { matchExpressions: [{ key: "app", operator: "Exists" }] },
};

const labelled = post(configMaps, configMap("a", {}, { labels: { app: "a" } }));
const plain = post(configMaps, configMap("b"));
const notProbe = { key: "probe", operator: "DoesNotExist" };

/** Expressions of match conditions, by what they do. */
const conditions: Readonly<Record<string, string>> = {
  "is true": "true",
  "is false": "false",
  "reads the name": "object.metadata.name == 'a'",
  "reads the data": "object.data.k == 'v'",
  "reads a field that does not exist": "object.data.gone == 'v'",
  "asks whether a field exists": "has(object.data.gone)",
  "reads the operation": "request.operation == 'CREATE'",
  "reads the kind": "request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps'",
  "reads the user": "'system:masters' in request.userInfo.groups",
  "reads the old object": "oldObject == null",
  "reads the old data": "oldObject.data.k == 'v'",
  "asks the authorizer": "authorizer.group('').resource('pods').check('get').allowed()",
  "asks the authorizer about the request": "authorizer.requestResource.check('create').allowed()",
  "reads the namespace": "request.namespace.startsWith('case-')",
  "reads the dry run": "!request.dryRun",
  "reads the options": "request.options.kind == 'CreateOptions'",
  "divides by zero": "1 / (object.data.size() - 1) > 0",
  "reads a missing subresource": "request.subResource == ''",
  "asks whether there is a subresource": "has(request.subResource)",
};

const cases: Record<string, Steps> = {};
for (const [what, fields] of Object.entries(rules)) {
  cases[`a webhook with a rule for ${what}`] = [before, validating(denies({ rules: [rule(fields)] })), requests];
}
for (const [what, selector] of Object.entries(selected)) {
  const { matchExpressions = [], ...rest } = selector;
  const objectSelector = { ...rest, matchExpressions: [notProbe, ...(matchExpressions as JsonObject[])] };
  cases[`a webhook whose objectSelector selects ${what}`] = [validating(denies({ objectSelector })), labelled, plain];
}
for (const [what, expression] of Object.entries(conditions)) {
  const matchConditions = [{ name: "c", expression }];
  // The same webhook with both failure policies, each for objects with its label.
  const hooks = ["Fail", "Ignore"].map((failurePolicy) =>
    denies({ matchConditions, failurePolicy, objectSelector: { matchLabels: { policy: failurePolicy } } }),
  );
  cases[`a match condition that ${what}`] = [
    validating(...hooks.map((one, index) => ({ ...one, name: `deny${index}.example.com` }))),
    ["Fail", "Ignore"].flatMap((policy) => [
      post(configMaps, configMap(policy === "Fail" ? "a" : "b", { k: "v" }, { labels: { policy } })),
      mergePatch(`${configMaps}/${policy === "Fail" ? "a" : "b"}`, { data: { k: "w" } }),
    ]),
  ];
}

const invalid = (expression: string): RequestStep =>
  post(validatingConfigurations, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "{ns}-invalid" },
    webhooks: [denies({ matchConditions: [{ name: "c", expression }] })],
  });

/** Which requests webhooks are called for. */
export const webhookMatching = subject(
  "webhook-matching",
  cleaningUp({
    ...cases,
    "an objectSelector also selects by the old object": [
      { ...labelled, silent: true },
      validating(denies({ objectSelector: { matchLabels: { app: "a" } } })),
      put(`${configMaps}/a`, configMap("a")),
      remove(`${configMaps}/a`),
    ],
    "a namespaceSelector that does not select the namespace": [
      validating(denies({ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "other" } } })),
      createMap,
    ],
    "a Namespace is selected by its own labels": [
      validating(
        denies({
          rules: [rule({ resources: ["namespaces"] })],
          namespaceSelector: { matchLabels: { of: "{ns}" } },
        }),
      ),
      post("/api/v1/namespaces", {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "{ns}-a", labels: { of: "{ns}" } },
      }),
      post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "{ns}-b" } }),
      mergePatch("/api/v1/namespaces/{ns}-b", { metadata: { labels: { of: "{ns}" } } }),
      remove("/api/v1/namespaces/{ns}-b", undefined, { fields: ["kind"] }),
    ],
    "a cluster-scoped object matches every namespaceSelector": [
      validating(
        denies({
          rules: [rule({ apiGroups: ["rbac.authorization.k8s.io"], resources: ["clusterroles"] })],
          objectSelector: { matchLabels: { of: "{ns}" } },
        }),
      ),
      post("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name: "{ns}", labels: { of: "{ns}" } },
      }),
    ],
    "all match conditions must be true": [
      validating(
        denies({
          matchConditions: [
            { name: "a", expression: "true" },
            { name: "b", expression: "object.metadata.name == 'b'" },
          ],
        }),
      ),
      createMap,
      plain,
    ],
    "a false match condition hides an error of another": [
      validating(
        denies({
          matchConditions: [
            { name: "a", expression: "object.data.gone == 'x'" },
            { name: "b", expression: "false" },
          ],
        }),
      ),
      createMap,
    ],
    "the errors of match conditions are shown": [
      validating(
        denies({
          matchConditions: [
            { name: "a", expression: "object.data.gone == 'x'" },
            { name: "b", expression: "object.spec.gone == 'x'" },
          ],
        }),
      ),
      wording(createMap),
    ],
    "match conditions that do not compile are rejected": [
      invalid("object."),
      invalid("unknown == 1"),
      invalid("'text'"),
      invalid("request.unknown == ''"),
      invalid("params == null"),
      { ...invalid("object.metadata.name == 'a'"), fields: ["kind"] },
    ],
    "a configuration that is deleted has no effect": [
      validating(denies({})),
      createMap,
      remove(`${validatingConfigurations}/{ns}-v`, undefined, { silent: true }),
      { ...post(configMaps, configMap("later")), until: { status: 201 } },
    ],
  }),
);
