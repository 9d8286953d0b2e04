import type { JsonObject } from "@kubewright/core/json";
import { mergePatch, post, put, type RequestStep, remove, type Steps, subject, wording } from "../test-case.js";
import {
  configMap,
  configMaps,
  create,
  createData,
  inCase,
  inEffect,
  rule,
  validating,
  validatingBindings,
  validatingPolicies,
  validation,
} from "./policy-objects.js";
import { define, size, specSchema, widget, widgets } from "./sample-objects.js";

/** Steps after a policy with these validations is in effect. */
const validated = (given: readonly (string | JsonObject)[], ...steps: Steps): Steps =>
  withPolicy({ validations: given.map(validation) }, {}, ...steps);

function withPolicy(spec: JsonObject, binding: JsonObject, ...steps: Steps): Steps {
  return [...validating(spec, binding), ...inEffect(), ...wording(...steps)];
}

const never = "object.data.a != 'never'";
const data = (a: string): JsonObject => ({ data: { a } });
const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
const param = (name: string, a: string, labels: JsonObject = {}): RequestStep => ({
  ...post(configMaps, { metadata: { name, labels }, data: { a } }),
  silent: true,
});
const others = { ...rule(), resourceNames: ["a", "b", "c", "d"] };
const byParams = {
  paramKind,
  matchConstraints: inCase(others),
  validations: [{ expression: "object.data.a == params.data.a", messageExpression: "'not ' + params.data.a" }],
};

/** One request that each of these expressions decides. */
const decides = (...expressions: readonly string[]): Steps => [
  ...expressions.flatMap((expression, index) =>
    validating(
      { matchConstraints: inCase({ ...rule(), resourceNames: [`c${index}`] }), validations: [validation(expression)] },
      {},
      `{ns}-${index}`,
    ),
  ),
  ...inEffect(),
  ...wording(
    expressions.map((_, index) =>
      post(configMaps, {
        metadata: { name: `c${index}`, labels: { app: "web", tier: "a" }, annotations: { "a.b/c": "d" } },
        data: { a: "b", number: "12", list: "x,y,z", address: "10.1.2.3" },
      }),
    ),
  ),
];

/** What ValidatingAdmissionPolicies decide. */
export const validatingPolicyCases = subject("validating-policies", {
  "a request that a validation denies is rejected with its expression": validated(
    [never],
    createData("ok", "never"),
    create({}),
  ),
  "a message replaces the expression": validated([{ expression: never, message: " no never " }], createData("never")),
  "a messageExpression replaces the message": validated(
    [{ expression: never, message: "plain", messageExpression: "'not ' + string(object.data.a)" }],
    createData("never"),
  ),
  "a messageExpression that fails falls back to the message": validated(
    [{ expression: never, message: "plain", messageExpression: "string(object.data.missing)" }],
    createData("never"),
  ),
  "a messageExpression with a blank or long result, or several lines, falls back": validated(
    [
      { expression: "object.data.a != 'x'", message: "plain", messageExpression: "'  '" },
      { expression: "object.data.a != 'y'", message: "plain", messageExpression: "'a\\nb'" },
      {
        expression: "object.data.a != 'z'",
        messageExpression:
          "'a'.replace('a', 'aaaaaaaaaa').replace('a', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb').replace('b', 'cccccccccccccccccccc')",
      },
    ],
    createData("x", "y", "z"),
  ),
  "a reason decides the status code": validated(
    [
      { expression: "object.data.a != 'x'", reason: "Forbidden" },
      { expression: "object.data.a != 'y'", reason: "RequestEntityTooLarge" },
      { expression: "object.data.a != 'z'", reason: "Invalid" },
    ],
    createData("x", "y", "z"),
  ),
  "the first of several denials is reported": validated(
    ["object.data.a != 'x'", "object.data.a.size() > 3", "true"],
    createData("x", "y", "long enough"),
  ),
  "an expression that fails denies the request": validated(["object.data.missing == 'a'"], createData("x"), create({})),
  "an expression that fails admits the request if the failurePolicy is Ignore": withPolicy(
    { failurePolicy: "Ignore", validations: [validation("object.data.missing == 'a'")] },
    {},
    createData("x"),
  ),
  "a denial counts also if the failurePolicy is Ignore": withPolicy(
    { failurePolicy: "Ignore", validations: [validation("object.data.missing == 'a'"), validation(never)] },
    {},
    createData("never"),
  ),
  "errors of types and conversions are reported": validated(
    ["int(object.data.a) > 1", "object.data > 1", "object.data.a[0] == 'x'"],
    createData("x", "2"),
  ),
  "an update sees the old object": withPolicy(
    { validations: [{ expression: "oldObject == null || oldObject.data.a == object.data.a", message: "immutable" }] },
    {},
    createData("x"),
    mergePatch(`${configMaps}/a`, data("y")),
    mergePatch(`${configMaps}/a`, { data: { b: "y" } }),
    put(`${configMaps}/a`, configMap("a", data("z"))),
  ),
  "a delete has no object": withPolicy(
    {
      matchConstraints: inCase(rule({ operations: ["DELETE"] })),
      validations: [{ expression: "object == null && oldObject.data.a != 'keep'", message: "kept" }],
    },
    {},
    createData("keep", "x"),
    remove(`${configMaps}/a`),
    remove(`${configMaps}/b`),
  ),
  "a delete of a collection is one request for each object": withPolicy(
    {
      matchConstraints: inCase(rule({ operations: ["DELETE"], resourceNames: ["a", "b"] })),
      validations: [{ expression: "oldObject.data.a != 'keep'", message: "kept" }],
    },
    {},
    createData("x", "keep"),
    remove(`${configMaps}/b`),
  ),
  "a dry run is validated": validated([never], post(`${configMaps}?dryRun=All`, configMap("a", data("never")))),
  "an apply is validated as a create and as an update": withPolicy(
    { validations: [{ expression: never, messageExpression: "request.operation" }] },
    {},
    {
      ...put(`${configMaps}/a?fieldManager=m`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a" },
        ...data("never"),
      }),
      method: "PATCH",
      headers: { "content-type": "application/apply-patch+yaml" },
    },
    createData("x"),
    {
      ...put(`${configMaps}/a?fieldManager=m&force=true`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a" },
        ...data("never"),
      }),
      method: "PATCH",
      headers: { "content-type": "application/apply-patch+yaml" },
    },
  ),
  "an object with a generated name is named by its prefix": validated(
    [{ expression: "false", messageExpression: "'name: ' + (has(object.metadata.name) ? 'set' : 'unset')" }],
    post(configMaps, { metadata: { generateName: "web-" } }),
  ),
  "the request describes itself": withPolicy(
    {
      validations: [
        {
          expression: "false",
          messageExpression:
            "[request.kind.kind, request.kind.version, request.resource.resource, request.operation, request.name, request.namespace == object.metadata.namespace ? 'ns' : 'other', request.requestKind.kind, request.requestResource.resource, string(request.dryRun), request.options.kind].join(' ')",
        },
      ],
    },
    {},
    createData("x"),
    post(`${configMaps}?dryRun=All&fieldManager=m`, configMap("b")),
  ),
  "fields of the request that are empty are absent": withPolicy(
    {
      validations: [
        {
          expression: "false",
          messageExpression:
            "string([has(request.subResource), has(request.requestSubResource), has(request.name), has(request.namespace), has(request.userInfo.extra), has(request.options)].map(x, string(x)).join(' '))",
        },
      ],
    },
    {},
    createData("x"),
  ),
  "a subresource is matched by its own rule": withPolicy(
    {
      matchConstraints: inCase({
        apiGroups: ["apps"],
        apiVersions: ["v1"],
        operations: ["UPDATE"],
        resources: ["deployments/scale", "deployments/status"],
      }),
      validations: [
        { expression: "false", messageExpression: "request.subResource + ' ' + request.kind.kind + ' ' + object.kind" },
      ],
    },
    {},
    post(
      "/apis/apps/v1/namespaces/{ns}/deployments",
      {
        metadata: { name: "a" },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a" }] } },
        },
      },
      { silent: true },
    ),
    mergePatch("/apis/apps/v1/namespaces/{ns}/deployments/a/scale", { spec: { replicas: 3 } }),
    mergePatch("/apis/apps/v1/namespaces/{ns}/deployments/a/status", { status: { observedGeneration: 7 } }),
    mergePatch("/apis/apps/v1/namespaces/{ns}/deployments/a", { spec: { replicas: 2 } }, { fields: ["kind", "code"] }),
  ),
  "namespaceObject is the Namespace of the request": withPolicy(
    {
      validations: [
        {
          expression: "false",
          messageExpression:
            "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == request.namespace ? namespaceObject.status.phase + ' ' + namespaceObject.spec.finalizers[0] : 'other'",
        },
      ],
    },
    {},
    createData("x"),
  ),
  "a match condition that is false skips the policy": withPolicy(
    {
      matchConditions: [
        { name: "has-data", expression: "has(object.data)" },
        { name: "not-ok", expression: "object.data.a != 'ok'" },
      ],
      validations: [validation("false")],
    },
    {},
    createData("ok", "x"),
    create({}),
  ),
  "a match condition that fails denies the request": withPolicy(
    { matchConditions: [{ name: "a", expression: "object.data.missing == 'a'" }], validations: [validation("true")] },
    {},
    createData("x"),
  ),
  "several match conditions that fail are reported together": withPolicy(
    {
      matchConditions: [
        { name: "a", expression: "object.data.missing == 'a'" },
        { name: "b", expression: "object.data.other == 'a'" },
      ],
      validations: [validation("true")],
    },
    {},
    createData("x"),
  ),
  "a false match condition wins over one that fails": withPolicy(
    {
      matchConditions: [
        { name: "a", expression: "object.data.missing == 'a'" },
        { name: "b", expression: "false" },
      ],
      validations: [validation("false")],
    },
    {},
    createData("x"),
  ),
  "a match condition that fails skips the policy if the failurePolicy is Ignore": withPolicy(
    {
      failurePolicy: "Ignore",
      matchConditions: [{ name: "a", expression: "object.data.missing == 'a'" }],
      validations: [validation("false")],
    },
    {},
    createData("x"),
  ),
  "variables are evaluated when they are read": withPolicy(
    {
      variables: [
        { name: "broken", expression: "object.data.missing" },
        { name: "length", expression: "object.data.a.size()" },
        { name: "isLong", expression: "variables.length > 3" },
      ],
      validations: [
        { expression: "!variables.isLong", messageExpression: "'length ' + string(variables.length)" },
        { expression: "object.data.a != 'x' || variables.broken == 'a'" },
      ],
    },
    {},
    createData("ok", "too long", "x"),
  ),
  "variables hold lists, maps and objects": withPolicy(
    {
      variables: [
        { name: "keys", expression: "object.data.map(k, k)" },
        { name: "labels", expression: "object.metadata.?labels.orValue({})" },
        { name: "meta", expression: "object.metadata" },
      ],
      validations: [
        { expression: "!('bad' in variables.keys)", message: "bad key" },
        { expression: "!('app' in variables.labels) || variables.meta.labels.app != 'x'", message: "bad label" },
      ],
    },
    {},
    create(
      { data: { bad: "x" } },
      { data: { a: "x" }, metadata: { name: "b", labels: { app: "x" } } },
      { data: { a: "x" } },
    ),
  ),
  "Warn warns, and admits the request": withPolicy(
    { validations: [{ expression: never, message: "better not" }] },
    { validationActions: ["Warn"] },
    createData("never", "x"),
  ),
  "Audit admits the request": withPolicy(
    { validations: [validation(never)] },
    { validationActions: ["Audit"] },
    createData("never"),
  ),
  "Deny and Audit deny, Warn and Audit warn": [
    ...validating({ validations: [validation("object.data.a != 'x'")] }, { validationActions: ["Deny", "Audit"] }),
    ...validating(
      { validations: [validation("object.data.a != 'y'")] },
      { validationActions: ["Warn", "Audit"] },
      "{ns}-two",
    ),
    ...inEffect(),
    ...wording(createData("x", "y")),
  ],
  "an audit annotation that fails denies the request": withPolicy(
    { auditAnnotations: [{ key: "a", valueExpression: "string(object.data.missing)" }] },
    {},
    createData("x"),
  ),
  "an audit annotation that is published, empty or null does not": withPolicy(
    {
      auditAnnotations: [
        { key: "a", valueExpression: "'value ' + object.data.a" },
        { key: "b", valueExpression: "''" },
        { key: "c", valueExpression: "null" },
      ],
    },
    {},
    createData("x"),
  ),
  "a policy without a binding has no effect": [
    {
      ...post(validatingPolicies, {
        metadata: { name: "{ns}" },
        spec: { matchConstraints: inCase(), validations: [validation("false")] },
      }),
      silent: true,
    },
    ...inEffect(),
    ...wording(createData("x")),
  ],
  "a binding to a policy that does not exist has no effect": [
    {
      ...post(validatingBindings, {
        metadata: { name: "{ns}" },
        spec: { policyName: "missing.{ns}", validationActions: ["Deny"] },
      }),
      silent: true,
    },
    ...inEffect(),
    ...wording(createData("x")),
  ],
  "a deleted policy has no effect any more": [
    ...validating({ validations: [validation("false")] }),
    ...inEffect(),
    ...wording(createData("x")),
    { ...remove(`${validatingPolicies}/{ns}`), silent: true },
    { ...post(configMaps, configMap("later")), until: { status: 201 }, fields: ["kind"] },
  ],
  "a binding narrows the objects by a selector": withPolicy(
    { validations: [validation("false")] },
    { matchResources: { objectSelector: { matchLabels: { app: "web" } } } },
    post(configMaps, { metadata: { name: "a", labels: { app: "web" } } }),
    post(configMaps, { metadata: { name: "b" } }),
    mergePatch(`${configMaps}/b`, { metadata: { labels: { app: "web" } } }),
  ),
  "a binding narrows the resources by rules": withPolicy(
    { validations: [validation("false")] },
    { matchResources: { resourceRules: [rule({ operations: ["UPDATE"] })] } },
    createData("x"),
    mergePatch(`${configMaps}/a`, data("y")),
  ),
  "a binding excludes names": withPolicy(
    { validations: [validation("false")] },
    { matchResources: { excludeResourceRules: [{ ...rule(), resourceNames: ["a"] }] } },
    createData("x", "y"),
  ),
  "a policy excludes resources": withPolicy(
    {
      matchConstraints: {
        ...inCase(rule({ resources: ["configmaps", "secrets"] })),
        excludeResourceRules: [rule({ resources: ["configmaps"] })],
      },
      validations: [validation("false")],
    },
    {},
    createData("x"),
    post("/api/v1/namespaces/{ns}/secrets", { metadata: { name: "a" } }),
  ),
  "a policy selects objects by their labels": withPolicy(
    {
      matchConstraints: { ...inCase(), objectSelector: { matchExpressions: [{ key: "app", operator: "Exists" }] } },
      validations: [validation("false")],
    },
    {},
    post(configMaps, { metadata: { name: "a", labels: { app: "web" } } }),
    post(configMaps, { metadata: { name: "b" } }),
  ),
  "an equivalent version is validated in the version of the rule": withPolicy(
    {
      matchConstraints: inCase({
        apiGroups: ["autoscaling"],
        apiVersions: ["v2"],
        operations: ["CREATE"],
        resources: ["horizontalpodautoscalers"],
      }),
      validations: [
        {
          expression: "false",
          messageExpression:
            "object.apiVersion + ' ' + string(object.spec.metrics[0].resource.target.averageUtilization) + ' ' + request.kind.version + ' ' + request.requestKind.version",
        },
      ],
    },
    {},
    post("/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers", {
      metadata: { name: "a" },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
        targetCPUUtilizationPercentage: 70,
      },
    }),
  ),
  "another version is not validated if the matchPolicy is Exact": withPolicy(
    {
      matchConstraints: {
        ...inCase({
          apiGroups: ["autoscaling"],
          apiVersions: ["v2"],
          operations: ["CREATE"],
          resources: ["horizontalpodautoscalers"],
        }),
        matchPolicy: "Exact",
      },
      validations: [validation("false")],
    },
    {},
    post(
      "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers",
      {
        metadata: { name: "a" },
        spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" } },
      },
      { fields: ["kind"] },
    ),
  ),
  "policies do not apply to policies": withPolicy(
    {
      matchConstraints: {
        resourceRules: [rule({ apiGroups: ["admissionregistration.k8s.io"], resources: ["*"], scope: "*" })],
        objectSelector: { matchLabels: { case: "{ns}" } },
      },
      validations: [validation("false")],
    },
    {},
    post(
      validatingBindings,
      {
        metadata: { name: "{ns}-other", labels: { case: "{ns}" } },
        spec: { policyName: "p", validationActions: ["Deny"] },
      },
      { fields: ["kind"] },
    ),
  ),
  "cluster-scoped objects are validated without a namespace": withPolicy(
    {
      matchConstraints: {
        resourceRules: [rule({ resources: ["nodes", "namespaces"], scope: "*" })],
        objectSelector: { matchLabels: { case: "{ns}" } },
      },
      validations: [
        {
          expression: "false",
          messageExpression: "request.kind.kind + (namespaceObject == null ? ' without' : ' with')",
        },
      ],
    },
    {},
    post("/api/v1/nodes", { metadata: { name: "node-{ns}", labels: { case: "{ns}" } } }),
    post("/api/v1/namespaces", { metadata: { name: "other-{ns}", labels: { case: "{ns}" } } }),
  ),
  "parameters are found by name in a namespace": [
    param("p", "x"),
    ...withPolicy(
      byParams,
      { paramRef: { name: "p", namespace: "{ns}", parameterNotFoundAction: "Deny" } },
      createData("x", "y"),
    ),
  ],
  "parameters are found in the namespace of the request": [
    param("p", "x"),
    ...withPolicy(byParams, { paramRef: { name: "p", parameterNotFoundAction: "Deny" } }, createData("x", "y")),
  ],
  "parameters are found by a selector, and each is evaluated": [
    param("p", "x", { role: "params" }),
    param("q", "y", { role: "params" }),
    param("r", "z"),
    ...withPolicy(
      { ...byParams, validations: [{ expression: "object.data.a.contains(params.data.a)" }] },
      { paramRef: { selector: { matchLabels: { role: "params" } }, parameterNotFoundAction: "Deny" } },
      createData("xy", "x", "z"),
    ),
  ],
  "missing parameters deny the request": withPolicy(
    byParams,
    { paramRef: { name: "missing", parameterNotFoundAction: "Deny" } },
    createData("x"),
  ),
  "missing parameters skip the policy": withPolicy(
    byParams,
    { paramRef: { name: "missing", parameterNotFoundAction: "Allow" } },
    createData("x"),
  ),
  "parameters that no selector finds skip or deny": [
    ...validating(byParams, {
      paramRef: { selector: { matchLabels: { no: "such" } }, parameterNotFoundAction: "Allow" },
    }),
    ...validating(
      { ...byParams, matchConstraints: inCase({ ...rule(), resourceNames: ["b"] }) },
      { paramRef: { selector: { matchLabels: { no: "such" } }, parameterNotFoundAction: "Deny" } },
      "{ns}-two",
    ),
    ...inEffect(),
    ...wording(createData("x", "y")),
  ],
  "missing parameters deny nothing if the failurePolicy is Ignore": withPolicy(
    { ...byParams, failurePolicy: "Ignore" },
    { paramRef: { name: "missing", parameterNotFoundAction: "Deny" } },
    createData("x"),
  ),
  "a binding without a paramRef evaluates with params null": withPolicy(
    { ...byParams, validations: [{ expression: "params != null", message: "no params" }] },
    {},
    createData("x"),
  ),
  "a paramRef of a policy without paramKind is ignored": withPolicy(
    { validations: [validation(never)] },
    { paramRef: { name: "missing", parameterNotFoundAction: "Deny" } },
    createData("x"),
  ),
  "a paramKind that is not served denies the request": withPolicy(
    { ...byParams, paramKind: { apiVersion: "{group}/v1", kind: "Missing" } },
    { paramRef: { name: "p", parameterNotFoundAction: "Allow" } },
    createData("x"),
  ),
  "namespaced parameters cannot be used for cluster-scoped objects": withPolicy(
    {
      ...byParams,
      matchConstraints: {
        resourceRules: [rule({ resources: ["nodes"], scope: "*" })],
        objectSelector: { matchLabels: { case: "{ns}" } },
      },
    },
    { paramRef: { name: "p", parameterNotFoundAction: "Allow" } },
    post("/api/v1/nodes", { metadata: { name: "node-{ns}", labels: { case: "{ns}" } } }),
  ),
  "cluster-scoped parameters have no namespace": withPolicy(
    { ...byParams, paramKind: { apiVersion: "v1", kind: "Namespace" } },
    { paramRef: { name: "default", namespace: "{ns}", parameterNotFoundAction: "Allow" } },
    createData("x"),
  ),
  "cluster-scoped parameters are found by name": withPolicy(
    {
      ...byParams,
      paramKind: { apiVersion: "v1", kind: "Namespace" },
      validations: [
        {
          expression: "params.metadata.name == object.data.a",
          messageExpression: "params.kind + ' ' + params.apiVersion",
        },
      ],
    },
    { paramRef: { name: "default", parameterNotFoundAction: "Deny" } },
    createData("default", "other"),
  ),
  "the authorizer decides for the user of the request": withPolicy(
    {
      validations: [
        {
          expression:
            "authorizer.group('').resource('pods').namespace('default').check('create').allowed() && authorizer.requestResource.check('update').allowed() && authorizer.path('/healthz').check('get').allowed()",
          message: "not allowed",
        },
      ],
    },
    {},
    createData("x"),
  ),
  "an expression that is too expensive denies the request": withPolicy(
    {
      validations: [
        {
          expression:
            "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a + b + c + d + e + f > 0))))))",
        },
      ],
    },
    {},
    createData("x"),
  ),
  "expressions that are too expensive together stop the policy": withPolicy(
    {
      validations: Array.from({ length: 15 }, () => ({
        expression: "lists.range(90).all(a, lists.range(90).all(b, lists.range(14).all(c, a + b + c >= 0)))",
      })),
    },
    {},
    createData("x"),
  ),
  "a variable that is too expensive fails": withPolicy(
    {
      variables: [
        {
          name: "a",
          expression: "lists.range(100).all(a, lists.range(100).all(b, lists.range(100).all(c, a + b + c >= 0)))",
        },
      ],
      validations: [validation("variables.a")],
    },
    {},
    createData("x"),
  ),
  "custom resources are validated": [
    ...define(specSchema(size)),
    ...withPolicy(
      {
        matchConstraints: inCase(rule({ apiGroups: ["{group}"], resources: ["widgets"] })),
        validations: [
          {
            expression: "object.spec.size < 5",
            messageExpression: "request.kind.kind + ' ' + string(object.spec.size)",
          },
        ],
      },
      {},
      post(widgets, widget("a", { spec: { size: 3 } })),
      post(widgets, widget("b", { spec: { size: 7 } })),
      post(widgets, widget("c", { spec: {} })),
      mergePatch(`${widgets}/a`, { spec: { size: 8 } }),
    ),
  ],
  "strings decide": decides(
    "object.data.a.startsWith('b')",
    "object.data.list.split(',').size() == 2",
    "object.data.a.matches('^[0-9]+$')",
    "object.metadata.name.lowerAscii() == object.metadata.name.upperAscii()",
    "'%s-%d'.format([object.data.a, 1]) == 'b-2'",
  ),
  "lists and maps decide": decides(
    "object.data.exists(k, k == 'missing')",
    "object.data.all(k, k.size() < 4)",
    "object.metadata.labels.exists_one(k, k == 'app')",
    "object.data.list.split(',').filter(x, x != 'x').map(x, x + x) == ['yy', 'zzz']",
    "sets.contains(['x', 'y'], object.data.list.split(','))",
    "'a.b/c' in object.metadata.annotations",
  ),
  "numbers decide": decides(
    "int(object.data.number) % 5 == 3",
    "double(object.data.number) / 5.0 > 2.4",
    "int(object.data.number) / 0 == 1",
    "uint(object.data.number) - 13u == 0u",
    "9223372036854775807 + int(object.data.number) > 0",
  ),
  "libraries decide": decides(
    "quantity(object.data.number + 'Mi').isGreaterThan(quantity('1Gi'))",
    "cidr('10.0.0.0/16').containsIP(object.data.address)",
    "ip(object.data.a).family() == 4",
    "isURL(object.data.a)",
    "semver('1.' + object.data.number + '.0').isLessThan(semver('1.9.0'))",
    "!format.dns1123Label().validate(object.data.list).hasValue()",
  ),
  "optionals decide": decides(
    "object.?data.?missing.orValue('x') == 'y'",
    "object.?metadata.labels.app == optional.of('api')",
    "has(object.spec)",
    "object.metadata.?finalizers.hasValue()",
    "object.data[?'missing'].orValue('') != ''",
  ),
  "types and times decide": decides(
    "type(object.data.a) == int",
    "timestamp('2020-01-01T00:00:00Z') > timestamp('2021-01-01T00:00:00Z')",
    "duration('1h') < duration(object.data.number + 'm')",
    "object.data.number > 3",
    "dyn(object.data.number) == 12",
    "object.data.a.b == 'c'",
  ),
});
