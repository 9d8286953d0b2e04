import type { JsonObject } from "@kubewright/core/json";
import { post, put, type RequestStep, subject, wording } from "../test-case.js";
import {
  mutatingBindings,
  mutatingPolicies,
  policyObject,
  rule,
  validatingBindings,
  validatingPolicies,
  validation,
} from "./policy-objects.js";

/** Creates a policy with each of these specs. */
const policies = (...specs: readonly JsonObject[]): RequestStep[] =>
  wording(specs.map((spec, index) => post(validatingPolicies, policyObject(`{ns}-${index}`, spec)))) as RequestStep[];
const validations = (...given: readonly (string | JsonObject)[]): RequestStep[] =>
  policies(...given.map((one) => ({ validations: [validation(one)] })));
const mutations = (...given: readonly JsonObject[]): RequestStep[] =>
  wording(
    given.map((one, index) =>
      post(mutatingPolicies, policyObject(`{ns}-${index}`, { reinvocationPolicy: "Never", mutations: [one] })),
    ),
  ) as RequestStep[];
const apply = (expression: string): JsonObject => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});
const json = (expression: string): JsonObject => ({ patchType: "JSONPatch", jsonPatch: { expression } });
const configMapParams = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };

/** Validation of admission policies and bindings. */
export const policyChecks = subject("policy-checks", {
  "a validation that does not compile is rejected": validations(
    "object.spec >",
    "object.unknown(",
    "unknown == 1",
    "1 + 'a' == 2",
    "self.x == 1",
  ),
  "a validation must evaluate to a bool": validations("1", "'a'", "object.metadata.name", "[true]", "null"),
  "the request has fields of certain types": validations(
    "request.name == 1",
    "request.unknown == 'a'",
    "request.userInfo.groups.exists(g, g == 1)",
    "request.kind.kind == 'Pod' && request.resource.resource == 'pods' && request.operation == 'CREATE'",
    "request.userInfo.extra['a'][0] == 'b' && request.dryRun",
    "request.options.anything == 1",
    "request.object == null",
  ),
  "namespaceObject has fields of certain types": validations(
    "namespaceObject.metadata.labels['a'] == 'b'",
    "namespaceObject.metadata.uid == 'b'",
    "namespaceObject.metadata.ownerReferences.size() > 0",
    "namespaceObject.status.phase == 'Active'",
    "namespaceObject.spec.finalizers.exists(f, f == 'kubernetes')",
  ),
  "params are known to policies with a paramKind alone": policies(
    { validations: [validation("params.data.a == 'b'")] },
    { ...configMapParams, validations: [validation("params.data.a == 'b'")] },
    { ...configMapParams, validations: [{ expression: "true", messageExpression: "params.data.a" }] },
  ),
  "the authorizer is known to validations, but not to messages": validations(
    "authorizer.group('').resource('pods').check('create').allowed()",
    "authorizer.requestResource.check('update').allowed()",
    "authorizer.group('').resource('pods').unknown()",
    { expression: "true", messageExpression: "string(authorizer.path('/healthz').check('get').allowed())" },
  ),
  "a messageExpression must evaluate to a string": validations(
    { expression: "true", messageExpression: "1" },
    { expression: "true", messageExpression: "object.metadata.name" },
    { expression: "true", messageExpression: "'a' + string(object.metadata.name)" },
    { expression: "true", messageExpression: "  " },
    { expression: "true", messageExpression: "'a' +" },
  ),
  "a message is one line that is not blank": validations(
    { expression: "true", message: "  " },
    { expression: "true", message: "a\nb" },
    { expression: "true", message: "a\n" },
  ),
  "a reason is one of three": validations(
    { expression: "true", reason: "Forbidden" },
    { expression: "true", reason: "RequestEntityTooLarge" },
    { expression: "true", reason: "Unauthorized" },
    { expression: "true", reason: "NotFound" },
  ),
  "an empty expression is rejected": validations("", "  ", "\n"),
  "a policy needs validations or audit annotations": policies({}, { validations: [] }, { auditAnnotations: [] }),
  "variables have names and compile in their order": policies(
    { variables: [{ name: "a", expression: "1" }], validations: [validation("variables.a == 1")] },
    { variables: [{ name: "a", expression: "1" }], validations: [validation("variables.b == 1")] },
    { variables: [{ name: "a", expression: "1" }], validations: [validation("variables.a == 'x'")] },
    {
      variables: [
        { name: "b", expression: "variables.a" },
        { name: "a", expression: "1" },
      ],
      validations: [validation("true")],
    },
    {
      variables: [
        { name: "a", expression: "object.data" },
        { name: "b", expression: "variables.a.size() > 1" },
      ],
      validations: [validation("variables.b")],
    },
    { variables: [{ name: "a b", expression: "1" }], validations: [validation("true")] },
    { variables: [{ name: "while", expression: "1" }], validations: [validation("true")] },
    { variables: [{ name: "", expression: "1" }], validations: [validation("true")] },
    { variables: [{ name: "a", expression: "" }], validations: [validation("true")] },
    { variables: [{ name: "a", expression: "1 +" }], validations: [validation("variables.a == 1")] },
    { validations: [validation("variables.a == 1")] },
  ),
  "the type of a variable is known where it is a plain one": policies(
    { variables: [{ name: "a", expression: "[1, 2]" }], validations: [validation("variables.a.exists(x, x == 'a')")] },
    { variables: [{ name: "a", expression: "{'a': 1}" }], validations: [validation("variables.a['a'] == 'a'")] },
    {
      variables: [{ name: "a", expression: "quantity('1')" }],
      validations: [validation("variables.a.isGreaterThan(quantity('2'))")],
    },
    { variables: [{ name: "a", expression: "optional.of(1)" }], validations: [validation("variables.a.hasValue()")] },
    { variables: [{ name: "a", expression: "duration('1s')" }], validations: [validation("variables.a == 1")] },
    { variables: [{ name: "a", expression: "null" }], validations: [validation("variables.a")] },
  ),
  "match conditions compile without variables": policies(
    { matchConditions: [{ name: "a", expression: "object.data.a == 'b'" }], validations: [validation("true")] },
    { matchConditions: [{ name: "a", expression: "1" }], validations: [validation("true")] },
    { matchConditions: [{ name: "a", expression: "unknown" }], validations: [validation("true")] },
    { matchConditions: [{ name: "a", expression: "params.data.a == 'b'" }], validations: [validation("true")] },
    {
      ...configMapParams,
      matchConditions: [{ name: "a", expression: "params.data.a == 'b'" }],
      validations: [validation("true")],
    },
    {
      variables: [{ name: "a", expression: "1" }],
      matchConditions: [{ name: "a", expression: "variables.a == 1" }],
      validations: [validation("true")],
    },
    { matchConditions: [{ name: "", expression: "true" }], validations: [validation("true")] },
    { matchConditions: [{ name: "a", expression: "" }], validations: [validation("true")] },
    {
      matchConditions: [
        { name: "a", expression: "true" },
        { name: "a", expression: "true" },
      ],
      validations: [validation("true")],
    },
  ),
  "audit annotations have keys, and values that are strings or null": policies(
    { auditAnnotations: [{ key: "a", valueExpression: "'x'" }] },
    { auditAnnotations: [{ key: "a", valueExpression: "1" }] },
    { auditAnnotations: [{ key: "a", valueExpression: "null" }] },
    { auditAnnotations: [{ key: "a", valueExpression: "object.metadata.name" }] },
    { auditAnnotations: [{ key: "a", valueExpression: "true ? 'a' : null" }] },
    { auditAnnotations: [{ key: "", valueExpression: "'x'" }] },
    { auditAnnotations: [{ key: "a b", valueExpression: "'x'" }] },
    { auditAnnotations: [{ key: "a", valueExpression: " " }] },
    {
      auditAnnotations: [
        { key: "a", valueExpression: "'x'" },
        { key: "a", valueExpression: "'x'" },
      ],
    },
    { auditAnnotations: Array.from({ length: 21 }, (_, index) => ({ key: `a${index}`, valueExpression: "'x'" })) },
  ),
  "a paramKind has a version and a kind": policies(
    ...[
      { apiVersion: "", kind: "A" },
      { apiVersion: "v1", kind: "" },
      { apiVersion: "a/b/c", kind: "A" },
      { apiVersion: "A_B/v1", kind: "A" },
      { apiVersion: "example.com/V1", kind: "A" },
      { apiVersion: "example.com/", kind: "A" },
      { apiVersion: "example.com/v1", kind: "A_b" },
    ].map((paramKind) => ({ paramKind, validations: [validation("true")] })),
  ),
  "a policy needs match constraints with rules": wording(
    post(validatingPolicies, { metadata: { name: "{ns}-a" }, spec: { validations: [validation("true")] } }),
    post(validatingPolicies, {
      metadata: { name: "{ns}-b" },
      spec: { matchConstraints: {}, validations: [validation("true")] },
    }),
    post(validatingPolicies, policyObject("{ns}-c", { failurePolicy: "Maybe", validations: [validation("true")] })),
    post(validatingPolicies, {
      metadata: { name: "{ns}-d" },
      spec: {
        matchConstraints: { resourceRules: [rule({ resourceNames: ["a", "a"] })] },
        validations: [validation("true")],
      },
    }),
  ),
  "a policy is compiled again when it is updated": wording(
    post(validatingPolicies, policyObject("{ns}-a", { validations: [validation("true")] }), {
      capture: { version: "metadata.resourceVersion" },
    }),
    put(`${validatingPolicies}/{ns}-a`, {
      metadata: { name: "{ns}-a", resourceVersion: "{version}" },
      spec: { matchConstraints: { resourceRules: [rule()] }, validations: [validation("unknown")] },
    }),
  ),
  "the libraries of Kubernetes are known": validations(
    "quantity('1').isLessThan(quantity('2'))",
    "ip('10.0.0.1').family() == 4",
    "cidr('10.0.0.0/8').containsIP('10.1.2.3')",
    "url('https://a.example/b').getHost() == 'a.example'",
    "semver('1.2.3').major() == 1",
    "format.dns1123Label().validate('a').hasValue()",
    "[1, 2].sum() == 3 && ['a'].isSorted() && sets.contains([1], [1])",
    "'a'.find('[a-z]') == 'a'",
    "object.?data.?a.orValue('') == ''",
    "jsonpatch.escapeKey('a/b') == 'a~1b'",
    "Object{} == Object{}",
  ),
  "an apply configuration must evaluate to an Object": mutations(
    apply("Object{}"),
    apply("Object{data: {'a': 'b'}}"),
    apply("Object{metadata: Object.metadata{labels: {'a': 'b'}}}"),
    apply("Object.metadata{}"),
    apply("1"),
    apply("object"),
    apply("{'a': 'b'}"),
    apply("Object{data: }"),
    apply("Unknown{}"),
    apply(" "),
    apply("Object{metadata: Object.other{}}"),
  ),
  "a JSON patch must evaluate to a list of JSONPatch": mutations(
    json('[JSONPatch{op: "add", path: "/data", value: {"a": "b"}}]'),
    json('[JSONPatch{op: "add", path: "/data", value: Object.data{a: "b"}}]'),
    json('JSONPatch{op: "add", path: "/data"}'),
    json("[]"),
    json("[Object{}]"),
    json('[JSONPatch{op: 1, path: "/data"}]'),
    json('[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("a/b"), value: "c"}]'),
    json('object.data.map(k, JSONPatch{op: "remove", path: "/data/" + k})'),
    json(""),
  ),
  "a mutation has one patch of its type": mutations(
    {},
    { patchType: "Other", jsonPatch: { expression: "[]" } },
    { patchType: "JSONPatch" },
    { patchType: "ApplyConfiguration" },
    { patchType: "JSONPatch", jsonPatch: { expression: "[]" }, applyConfiguration: { expression: "Object{}" } },
    {
      patchType: "ApplyConfiguration",
      jsonPatch: { expression: "[]" },
      applyConfiguration: { expression: "Object{}" },
    },
  ),
  "a mutating policy needs mutations and a reinvocationPolicy": wording(
    post(mutatingPolicies, policyObject("{ns}-a", { reinvocationPolicy: "Never" })),
    post(mutatingPolicies, policyObject("{ns}-b", { mutations: [apply("Object{}")] })),
    post(mutatingPolicies, policyObject("{ns}-c", { reinvocationPolicy: "Sometimes", mutations: [apply("Object{}")] })),
    post(
      mutatingPolicies,
      policyObject("{ns}-d", {
        reinvocationPolicy: "Never",
        matchConstraints: { resourceRules: [rule({ operations: ["DELETE"] })] },
        mutations: [apply("Object{}")],
      }),
    ),
    post(
      mutatingPolicies,
      policyObject("{ns}-e", {
        reinvocationPolicy: "Never",
        variables: [{ name: "a", expression: "1" }],
        mutations: [apply("Object{data: {'a': string(variables.a)}}")],
      }),
    ),
  ),
  "a binding names a policy, parameters and actions": wording(
    post(validatingBindings, { metadata: { name: "{ns}-a" }, spec: {} }),
    post(validatingBindings, {
      metadata: { name: "{ns}-b" },
      spec: { policyName: "p", validationActions: ["Deny", "Warn"] },
    }),
    post(validatingBindings, {
      metadata: { name: "{ns}-c" },
      spec: { policyName: "p", validationActions: ["Deny", "Deny"] },
    }),
    post(validatingBindings, { metadata: { name: "{ns}-d" }, spec: { policyName: "p", validationActions: ["Other"] } }),
    post(validatingBindings, {
      metadata: { name: "{ns}-e" },
      spec: { policyName: "p", validationActions: ["Deny", "Audit"], paramRef: {} },
    }),
    post(validatingBindings, {
      metadata: { name: "{ns}-f" },
      spec: {
        policyName: "p",
        validationActions: ["Deny"],
        paramRef: { name: "a", selector: {}, parameterNotFoundAction: "Maybe" },
      },
    }),
    post(mutatingBindings, { metadata: { name: "{ns}-g" }, spec: { policyName: "P!" } }),
    post(mutatingBindings, {
      metadata: { name: "{ns}-h" },
      spec: { policyName: "p", paramRef: { selector: {}, parameterNotFoundAction: "Allow" } },
    }),
  ),
});
