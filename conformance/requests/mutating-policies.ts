import type { JsonObject } from "@kubewright/core/json";
import { mergePatch, post, type RequestStep, remove, type Steps, subject, wording } from "../test-case.js";
import { defineSpec, postSpecs } from "./custom-kind.js";
import {
  configMap,
  configMaps,
  create,
  createData,
  inCase,
  inEffect,
  mutating,
  rule,
  validating,
  validation,
} from "./policy-objects.js";
import { widget, widgets } from "./sample-objects.js";

const apply = (expression: string): JsonObject => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});
const json = (expression: string): JsonObject => ({ patchType: "JSONPatch", jsonPatch: { expression } });

function withPolicy(spec: JsonObject, binding: JsonObject, ...steps: Steps): Steps {
  return [...mutating(spec, binding), ...inEffect(), ...wording(...steps)];
}

/** Steps after a policy with these mutations is in effect. */
const mutated = (mutations: readonly JsonObject[], ...steps: Steps): Steps => withPolicy({ mutations }, {}, ...steps);
/** Waits until Widgets can be patched: a real server needs some seconds for the type of a new kind. */
const untilMutated = (spec: JsonObject): RequestStep => ({
  ...post(`${widgets}?dryRun=All`, widget("wait", { spec })),
  until: { status: 201, includes: '"size":3' },
  silent: true,
});
const data = (a: string): JsonObject => ({ data: { a } });
const pods = "/api/v1/namespaces/{ns}/pods";
const podRule = rule({ resources: ["pods"], operations: ["CREATE"] });
const pod = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [{ name: "web", image: "web:1" }], ...spec },
});
const podStep = (name: string, spec: JsonObject = {}): RequestStep =>
  post(pods, pod(name, spec), { fields: ["kind", "code", "reason", "message", "details", "metadata.labels", "spec"] });
const onPods = (mutations: readonly JsonObject[], ...steps: Steps): Steps =>
  withPolicy({ matchConstraints: inCase(podRule), mutations }, {}, ...steps);
const label = (key: string, value: string): string => `Object{metadata: Object.metadata{labels: {"${key}": ${value}}}}`;
const addKey = (key: string, value: string): string => `[JSONPatch{op: "add", path: "/data/${key}", value: ${value}}]`;

/** What MutatingAdmissionPolicies change. */
export const mutatingPolicyCases = subject("mutating-policies", {
  "an apply configuration adds a label": mutated(
    [apply(label("added", "'yes'"))],
    createData("x"),
    post(configMaps, { metadata: { name: "labelled", labels: { own: "a" } } }),
  ),
  "an apply configuration replaces a value": mutated(
    [apply("Object{data: {'a': 'replaced'}}")],
    createData("x"),
    create({}),
  ),
  "an apply configuration computes values from the object": mutated(
    [apply("Object{data: {'a': object.data.a + '!', 'count': string(object.data.size())}}")],
    createData("x"),
  ),
  "an empty apply configuration changes nothing": mutated([apply("Object{}")], createData("x")),
  "a JSON patch adds, replaces and removes": mutated(
    [
      json(
        '[JSONPatch{op: "add", path: "/data/b", value: "new"}, JSONPatch{op: "replace", path: "/data/a", value: object.data.a + "!"}, JSONPatch{op: "remove", path: "/data/old"}]',
      ),
    ],
    create({ data: { a: "x", old: "y" } }),
  ),
  "a JSON patch moves and copies": mutated(
    [
      json(
        '[JSONPatch{op: "move", from: "/data/a", path: "/data/b"}, JSONPatch{op: "copy", from: "/data/b", path: "/data/c"}]',
      ),
    ],
    createData("x"),
  ),
  "a JSON patch whose test fails changes nothing": mutated(
    [json('[JSONPatch{op: "test", path: "/data/a", value: "x"}, JSONPatch{op: "add", path: "/data/b", value: "c"}]')],
    createData("x", "y"),
  ),
  "a JSON patch that does not fit denies the request": mutated(
    [json('[JSONPatch{op: "remove", path: "/data/missing"}]')],
    createData("x").map((step) => ({ ...step, fields: ["kind", "code", "reason"] })),
  ),
  "a JSON patch adds objects": mutated(
    [
      json(
        '[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}, JSONPatch{op: "add", path: "/data", value: Object.data{c: "d"}}]',
      ),
    ],
    create({}),
  ),
  "a JSON patch is an empty list": mutated([json("[]")], createData("x")),
  "a JSON patch escapes keys": mutated(
    [
      json(
        '[JSONPatch{op: "add", path: "/metadata/annotations", value: {}}, JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey("a.example/b~c"), value: "d"}]',
      ),
    ],
    createData("x"),
  ),
  "a JSON patch makes operations from a list": mutated(
    [json('object.data.map(k, JSONPatch{op: "replace", path: "/data/" + k, value: object.data[k] + "!"})')],
    create({ data: { a: "1", b: "2" } }),
  ),
  "mutations of a policy see the changes of those before": mutated(
    [
      apply("Object{data: {'b': object.data.a + 'b'}}"),
      apply("Object{data: {'c': object.data.b + 'c'}}"),
      json(addKey("d", "object.data.c + 'd'")),
    ],
    createData("a"),
  ),
  "mutation: an expression that fails denies the request": mutated(
    [apply("Object{data: {'b': object.data.missing}}")],
    createData("x"),
  ),
  "a JSON patch whose expression fails denies the request": mutated(
    [json(addKey("b", "object.data.missing"))],
    createData("x"),
  ),
  "an expression that fails changes nothing if the failurePolicy is Ignore": withPolicy(
    { failurePolicy: "Ignore", mutations: [apply("Object{data: {'b': object.data.missing}}")] },
    {},
    createData("x"),
  ),
  "the other mutations apply if one fails with the failurePolicy Ignore": withPolicy(
    {
      failurePolicy: "Ignore",
      mutations: [apply("Object{data: {'b': object.data.missing}}"), apply("Object{data: {'c': 'd'}}")],
    },
    {},
    createData("x"),
  ),
  "several mutations that fail are all causes": mutated(
    [apply("Object{data: {'b': object.data.missing}}"), apply("Object{data: {'b': object.data.other}}")],
    createData("x"),
  ),
  "an unknown field denies the request": mutated([apply("Object{unknown: 'a'}")], createData("x")),
  "a value of a wrong type denies the request": mutated([apply("Object{data: {'a': 1}}")], createData("x")),
  "an apply configuration for an object that does not match its schema denies the request": [
    ...defineSpec({ size: { type: "integer" }, list: { type: "array", items: { type: "string" } } }),
    ...mutating({
      matchConstraints: inCase(rule({ apiGroups: ["{group}"], resources: ["widgets"] })),
      mutations: [apply("Object{metadata: Object.metadata{annotations: {'mutated': 'yes'}}}")],
    }),
    ...inEffect(),
    untilMutated({ size: 2 }),
    ...wording(
      postSpecs(
        { list: [{}] },
        { list: [{ b: [1, "x"], a: null }] },
        { size: "a" },
        { size: 1.5 },
        { size: null, list: ["a", "a"] },
      ),
    ),
  ],
  "a custom resource of another kind is converted": [
    ...defineSpec({ size: { type: "integer" } }),
    ...mutating({
      matchConstraints: inCase(rule({ apiGroups: ["{group}"], resources: ["widgets"] })),
      matchConditions: [{ name: "spec", expression: "has(object.spec)" }],
      mutations: [
        json("object.spec.size == 1 ? [] : [JSONPatch{op: 'replace', path: '/spec/size', value: 3}]"),
        json("[JSONPatch{op: 'test', path: '/kind', value: object.kind}]"),
      ],
    }),
    ...inEffect(),
    untilMutated({ size: 2 }),
    post(widgets, { ...widget("a", { spec: { size: 1 } }), kind: "Odd" }, { fields: ["kind", "code", "spec"] }),
    post(widgets, { ...widget("b", { spec: { size: 2 } }), kind: "Odd" }, { fields: ["kind", "code", "spec"] }),
    post(widgets, { ...widget("c"), kind: "Odd" }, { fields: ["kind", "code"] }),
  ],
  "a custom resource of an unknown version cannot be converted": [
    ...defineSpec({ size: { type: "integer" } }),
    ...mutating({
      matchConstraints: inCase(rule({ apiGroups: ["{group}"], resources: ["widgets"], operations: ["*"] })),
      mutations: [json("[JSONPatch{op: 'add', path: '/spec/size', value: 3}]")],
    }),
    ...inEffect(),
    untilMutated({ size: 1 }),
    post(widgets, widget("a", { spec: { size: 1 } }), { silent: true }),
    ...wording(
      ...["{group}/v9", "v9", "apps/v1"].map((apiVersion) =>
        mergePatch(`${widgets}/a`, { apiVersion, metadata: { resourceVersion: "abc" } }),
      ),
      mergePatch(`${widgets}/a`, { metadata: { resourceVersion: "abc" } }),
    ),
  ],
  "an object of another type name denies the request": mutated(
    [apply("Object{metadata: Object.spec{labels: {'a': 'b'}}}")],
    createData("x"),
  ),
  "an atomic list cannot be applied": onPods(
    [apply("Object{spec: Object.spec{containers: [Object.spec.containers{name: 'web', args: ['a']}]}}")],
    podStep("a"),
  ),
  "containers merge by name": onPods(
    [
      apply(
        "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'web', imagePullPolicy: 'Always'}, Object.spec.containers{name: 'side', image: 'side:1'}]}}",
      ),
    ],
    podStep("a"),
  ),
  "containers are changed in a loop": onPods(
    [
      apply(
        "Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, image: 'mirror/' + c.image})}}",
      ),
    ],
    podStep("a", {
      containers: [
        { name: "a", image: "a:1" },
        { name: "b", image: "b:1" },
      ],
    }),
  ),
  "a JSON patch sets an atomic list": onPods(
    [json('[JSONPatch{op: "add", path: "/spec/containers/0/args", value: ["a", "b"]}]')],
    podStep("a"),
  ),
  "a container without a key denies the request": onPods(
    [apply("Object{spec: Object.spec{containers: [Object.spec.containers{image: 'a'}]}}")],
    podStep("a"),
  ),
  "numbers and booleans are applied": onPods(
    [
      apply(
        "Object{spec: Object.spec{terminationGracePeriodSeconds: 7, hostNetwork: true, priority: object.spec.containers.size()}}",
      ),
    ],
    podStep("a"),
  ),
  "a changed object is validated": onPods(
    [json('[JSONPatch{op: "replace", path: "/spec/containers/0/name", value: "NOT VALID"}]')],
    podStep("a"),
  ),
  "a changed object is defaulted": onPods(
    [json('[JSONPatch{op: "add", path: "/spec/containers/-", value: {"name": "late", "image": "late"}}]')],
    podStep("a"),
  ),
  "a validating policy sees the changed object": [
    ...mutating({ mutations: [apply("Object{data: {'b': 'added'}}")] }),
    ...validating({
      validations: [{ expression: "!has(object.data.b)", messageExpression: "'b is ' + string(object.data.b)" }],
    }),
    ...inEffect(),
    ...wording(createData("x")),
  ],
  "match conditions select requests": withPolicy(
    {
      matchConditions: [{ name: "a", expression: "object.data.a == 'x'" }],
      mutations: [apply("Object{data: {'b': 'c'}}")],
    },
    {},
    createData("x", "y"),
  ),
  "mutation: a match condition that fails denies the request": withPolicy(
    {
      matchConditions: [{ name: "a", expression: "object.data.missing == 'x'" }],
      mutations: [apply("Object{data: {'b': 'c'}}")],
    },
    {},
    createData("x"),
  ),
  "mutation: a match condition that fails skips the policy if the failurePolicy is Ignore": withPolicy(
    {
      failurePolicy: "Ignore",
      matchConditions: [{ name: "a", expression: "object.data.missing == 'x'" }],
      mutations: [apply("Object{data: {'b': 'c'}}")],
    },
    {},
    createData("x"),
  ),
  "variables are read by mutations": withPolicy(
    {
      variables: [
        { name: "value", expression: "object.data.a + '!'" },
        { name: "twice", expression: "variables.value + variables.value" },
      ],
      mutations: [apply("Object{data: {'b': variables.twice}}"), json(addKey("c", "variables.value"))],
    },
    {},
    createData("x"),
  ),
  "variables are evaluated again for each mutation": withPolicy(
    {
      variables: [{ name: "value", expression: "object.data.a" }],
      mutations: [
        apply("Object{data: {'a': variables.value + '1'}}"),
        apply("Object{data: {'a': variables.value + '2'}}"),
      ],
    },
    {},
    createData("x"),
  ),
  "parameters are read by mutations": [
    { ...post(configMaps, configMap("p", data("param"))), silent: true },
    ...withPolicy(
      {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        matchConstraints: inCase({ ...rule(), resourceNames: ["a", "b"] }),
        mutations: [apply("Object{data: {'b': params.data.a}}")],
      },
      { paramRef: { name: "p", parameterNotFoundAction: "Deny" } },
      createData("x"),
    ),
  ],
  "several parameters apply one after the other": [
    { ...post(configMaps, { metadata: { name: "p", labels: { role: "params" } }, ...data("1") }), silent: true },
    { ...post(configMaps, { metadata: { name: "q", labels: { role: "params" } }, ...data("2") }), silent: true },
    ...withPolicy(
      {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        matchConstraints: inCase({ ...rule(), resourceNames: ["a", "b"] }),
        mutations: [apply("Object{data: {params.metadata.name: params.data.a}}")],
      },
      { paramRef: { selector: { matchLabels: { role: "params" } }, parameterNotFoundAction: "Deny" } },
      createData("x"),
    ),
  ],
  "mutation: missing parameters deny the request": withPolicy(
    { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, mutations: [apply("Object{}")] },
    { paramRef: { name: "missing", parameterNotFoundAction: "Deny" } },
    createData("x"),
  ),
  "mutation: missing parameters skip the policy": withPolicy(
    { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, mutations: [apply("Object{data: {'b': 'c'}}")] },
    { paramRef: { name: "missing", parameterNotFoundAction: "Allow" } },
    createData("x"),
  ),
  "mutation: a paramKind that is not served denies the request": withPolicy(
    { paramKind: { apiVersion: "{group}/v1", kind: "Missing" }, mutations: [apply("Object{}")] },
    { paramRef: { name: "p", parameterNotFoundAction: "Allow" } },
    createData("x"),
  ),
  "a binding narrows the objects": withPolicy(
    { mutations: [apply("Object{data: {'b': 'c'}}")] },
    { matchResources: { objectSelector: { matchLabels: { app: "web" } } } },
    post(configMaps, { metadata: { name: "a", labels: { app: "web" } } }),
    post(configMaps, { metadata: { name: "b" } }),
  ),
  "an update is changed too, and sees the old object": withPolicy(
    { mutations: [apply("Object{data: {'old': oldObject == null ? 'none' : string(oldObject.data.a)}}")] },
    {},
    createData("x"),
    mergePatch(`${configMaps}/a`, data("y")),
  ),
  "a delete is not changed": withPolicy(
    {
      matchConstraints: inCase(rule({ operations: ["*"] })),
      mutations: [apply("Object{data: {'b': object.data.missing}}")],
      matchConditions: [{ name: "later", expression: "request.operation == 'DELETE'" }],
    },
    {},
    createData("x"),
    remove(`${configMaps}/a`),
  ),
  "a dry run is changed": mutated(
    [apply("Object{data: {'b': 'c'}}")],
    post(`${configMaps}?dryRun=All`, configMap("a", data("x"))),
  ),
  "an object with a generated name has no name yet": mutated(
    [apply("Object{data: {'name': has(object.metadata.name) ? 'set' : 'unset'}}")],
    post(configMaps, { metadata: { generateName: "web-" } }, { fields: ["data"] }),
  ),
  "a policy with the reinvocationPolicy Never runs once": [
    ...mutating({ mutations: [json(addKey("a", "object.data.a + '1'"))] }, {}, "a.{ns}"),
    ...inEffect(),
    ...wording(createData("x")),
  ],
  "a policy with the reinvocationPolicy IfNeeded runs again after a later change": [
    ...mutating(
      { reinvocationPolicy: "IfNeeded", mutations: [json(addKey("a", "object.data.a + '1'"))] },
      {},
      "a.{ns}",
    ),
    ...inEffect(),
    ...wording(createData("x")),
  ],
  "mutation: namespaceObject is the Namespace of the request": mutated(
    [apply("Object{data: {'phase': namespaceObject.status.phase}}")],
    createData("x"),
  ),
  "the request is read by mutations": mutated(
    [apply("Object{data: {'who': request.operation + ' ' + request.kind.kind, 'dry': string(request.dryRun)}}")],
    createData("x"),
  ),
  "a subresource is changed": withPolicy(
    {
      matchConstraints: inCase({
        apiGroups: ["apps"],
        apiVersions: ["v1"],
        operations: ["UPDATE"],
        resources: ["deployments/scale"],
      }),
      mutations: [json('[JSONPatch{op: "replace", path: "/spec/replicas", value: 5}]')],
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
    mergePatch("/apis/apps/v1/namespaces/{ns}/deployments/a/scale", { spec: { replicas: 3 } }, { fields: ["spec"] }),
  ),
  "mutation: an expression that is too expensive denies the request": mutated(
    [
      apply(
        "lists.range(100).all(a, lists.range(100).all(b, lists.range(100).all(c, a + b + c >= 0))) ? Object{} : Object{}",
      ),
    ],
    createData("x"),
  ),
  "policies do not apply to a validation that is denied": [
    ...validating({ validations: [validation("false")] }),
    ...mutating({ mutations: [apply("Object{data: {'b': 'c'}}")] }),
    ...inEffect(),
    ...wording(createData("x")),
  ],
});
