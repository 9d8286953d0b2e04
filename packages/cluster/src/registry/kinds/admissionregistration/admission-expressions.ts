import {
  authorizerType,
  boolType,
  type CelType,
  type Compiled,
  compile,
  dynType,
  type Environment,
  formatType,
  intType,
  kubernetesEnvironment,
  listType,
  mapType,
  resourceCheckType,
  type StructDecl,
  stringType,
  structType,
  timestampType,
} from "@kubewright/core/cel";

/** Which optional variables an expression of a webhook or a policy may use. */
export interface AdmissionVariables {
  /** `params`, of policies. @default false */
  readonly params?: boolean;
  /** `authorizer` and `authorizer.requestResource`. @default true */
  readonly authorizer?: boolean;
}

const struct = (fields: Readonly<Record<string, CelType>>): StructDecl => ({ fields: new Map(Object.entries(fields)) });
const strings = listType(stringType);
const named = (name: string): CelType => structType(`kubernetes.${name}`);

/** The types of `request` and `namespaceObject`. */
export const admissionStructs: ReadonlyMap<string, StructDecl> = new Map([
  ["kubernetes.GroupVersionKind", struct({ group: stringType, version: stringType, kind: stringType })],
  ["kubernetes.GroupVersionResource", struct({ group: stringType, version: stringType, resource: stringType })],
  [
    "kubernetes.UserInfo",
    struct({ username: stringType, uid: stringType, groups: strings, extra: mapType(stringType, strings) }),
  ],
  [
    "kubernetes.AdmissionRequest",
    struct({
      kind: named("GroupVersionKind"),
      resource: named("GroupVersionResource"),
      subResource: stringType,
      requestKind: named("GroupVersionKind"),
      requestResource: named("GroupVersionResource"),
      requestSubResource: stringType,
      name: stringType,
      namespace: stringType,
      operation: stringType,
      userInfo: named("UserInfo"),
      dryRun: boolType,
      options: dynType,
    }),
  ],
  ["kubernetes.NamespaceSpec", struct({ finalizers: strings })],
  [
    "kubernetes.NamespaceCondition",
    struct({
      status: stringType,
      type: stringType,
      lastTransitionTime: timestampType,
      message: stringType,
      reason: stringType,
    }),
  ],
  ["kubernetes.NamespaceStatus", struct({ conditions: listType(named("NamespaceCondition")), phase: stringType })],
  [
    "kubernetes.NamespaceMetadata",
    struct({
      name: stringType,
      generateName: stringType,
      namespace: stringType,
      labels: mapType(stringType, stringType),
      annotations: mapType(stringType, stringType),
      UID: stringType,
      creationTimestamp: timestampType,
      deletionGracePeriodSeconds: intType,
      deletionTimestamp: timestampType,
      generation: intType,
      resourceVersion: stringType,
      finalizers: strings,
    }),
  ],
  [
    "kubernetes.Namespace",
    struct({ metadata: named("NamespaceMetadata"), spec: named("NamespaceSpec"), status: named("NamespaceStatus") }),
  ],
]);

/** The types of the variables of an expression of a webhook or a policy. */
export function admissionVariables({
  params = false,
  authorizer = true,
}: AdmissionVariables = {}): Readonly<Record<string, CelType>> {
  return {
    object: dynType,
    oldObject: dynType,
    request: named("AdmissionRequest"),
    namespaceObject: named("Namespace"),
    ...(params && { params: dynType }),
    ...(authorizer && { authorizer: authorizerType, "authorizer.requestResource": resourceCheckType }),
  };
}

const environments = new Map<string, Environment>();

function environmentFor(variables: AdmissionVariables): Environment {
  const key = JSON.stringify(variables);
  const known = environments.get(key);
  if (known) return known;
  const made = kubernetesEnvironment({ variables: admissionVariables(variables), structs: admissionStructs });
  environments.set(key, made);
  return made;
}

/** Compiles a match condition. An expression that does not evaluate to a bool is rejected. */
export function compileCondition(expression: string, variables: AdmissionVariables = {}): Compiled {
  const compiled = compile(expression.trim(), environmentFor(variables));
  if (compiled.kind === "rejected") return { ...compiled, message: `compilation failed: ${compiled.message}` };
  const { type } = compiled.program;
  if (type === boolType) return compiled;
  const message = `must evaluate to bool but got ${formatType(type)}`;
  return { kind: "rejected", issues: [], message };
}
