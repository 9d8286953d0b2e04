import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { post, type RequestStep } from "../test-case.js";

const api = "/apis/admissionregistration.k8s.io/v1";
/** The collections of policies and bindings. */
export const validatingPolicies = `${api}/validatingadmissionpolicies`;
export const validatingBindings = `${api}/validatingadmissionpolicybindings`;
export const mutatingPolicies = `${api}/mutatingadmissionpolicies`;
export const mutatingBindings = `${api}/mutatingadmissionpolicybindings`;
export const configMaps = "/api/v1/namespaces/{ns}/configmaps";

/** A rule for ConfigMaps. */
export const rule = (changes: JsonObject = {}): JsonObject => ({
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: ["CREATE", "UPDATE"],
  resources: ["configmaps"],
  // Not for requests without a namespace, which match every namespaceSelector, because other cases send some.
  scope: "Namespaced",
  ...changes,
});

/** Match constraints that apply to the namespace of the case alone. */
export const inCase = (...rules: readonly JsonObject[]): JsonObject => ({
  resourceRules: rules.length === 0 ? [rule()] : rules,
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } },
});

/** A validation, from its expression or its fields. */
export const validation = (given: string | JsonObject): JsonObject =>
  typeof given === "string" ? { expression: given } : given;

export function policyObject(name: string, spec: JsonObject): JsonObject {
  return { metadata: { name }, spec: { matchConstraints: inCase(), ...spec } };
}

/** Creates a ValidatingAdmissionPolicy and a binding that denies. */
export function validating(spec: JsonObject, binding: JsonObject = {}, name = "{ns}"): RequestStep[] {
  const fields = { policyName: name, validationActions: ["Deny"], ...binding };
  return [
    post(validatingPolicies, policyObject(name, spec), { silent: true, until: { status: 201 } }),
    post(validatingBindings, { metadata: { name }, spec: fields }, { silent: true, until: { status: 201 } }),
  ];
}

/** Creates a MutatingAdmissionPolicy and a binding. */
export function mutating(spec: JsonObject, binding: JsonObject = {}, name = "{ns}"): RequestStep[] {
  return [
    post(mutatingPolicies, policyObject(name, { reinvocationPolicy: "Never", ...spec }), {
      silent: true,
      until: { status: 201 },
    }),
    post(
      mutatingBindings,
      { metadata: { name }, spec: { policyName: name, ...binding } },
      { silent: true, until: { status: 201 } },
    ),
  ];
}

/**
 * Waits until the policies created so far are in effect: a real server takes a second. What it has read last, it uses with all that it read
 * before, so a policy for a ConfigMap of its own shows it.
 */
export function inEffect(): RequestStep[] {
  const name = "marker.{ns}";
  const matchConditions = [{ name: "marker", expression: "object.metadata.?name.orValue('') == 'marker'" }];
  const broken = { patchType: "JSONPatch", jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/missing"}]' } };
  const marker = { ...post(`${configMaps}?dryRun=All`, configMap("marker")), silent: true } as const;
  return [
    ...validating({ matchConditions, validations: [validation("false")] }, {}, name),
    { ...marker, until: { status: 422 } },
    ...mutating({ matchConditions, mutations: [broken] }, {}, name),
    { ...marker, until: { status: 403 } },
  ];
}

/** A ConfigMap. */
export function configMap(name: string, fields: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, ...fields };
}

/** Creates ConfigMaps `a`, `b` and so on with these fields. */
export function create(...fields: readonly JsonObject[]): RequestStep[] {
  return fields.map((one, index) => post(configMaps, configMap(String.fromCharCode(97 + index), one)));
}

/** Creates a ConfigMap with data under each value. */
export function createData(...values: readonly JsonValue[]): RequestStep[] {
  return create(...values.map((value) => ({ data: { a: value } })));
}
