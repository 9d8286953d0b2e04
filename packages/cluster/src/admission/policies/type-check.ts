import {
  authorizerType,
  type CelType,
  dynType,
  PolicyCompiler,
  type PolicyDeclarations,
  type SchemaDeclaration,
  type StructDecl,
  schemaDeclaration,
} from "@kubewright/core/cel";
import { formatApiVersion } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import { type Schema, structureOf } from "@kubewright/core/schema";
import {
  admissionStructs,
  admissionVariables,
  type PolicySpec,
  type Registry,
  type Resource,
} from "../../registry/index.js";

/** A warning in `status.typeChecking.expressionWarnings`. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** More kinds of a rule are not checked. */
const maxKinds = 10;

/**
 * Checks the expressions of a ValidatingAdmissionPolicy against the schemas of the kinds that it names: an expression compiles for any object,
 * but may read fields that no object of a kind has.
 */
export function expressionWarnings(policy: JsonObject, registry: Registry): readonly ExpressionWarning[] {
  const spec = (policy["spec"] ?? {}) as PolicySpec;
  const checks = kindsOf(spec, registry).flatMap((resource) => {
    const declared = declarationsOf(spec, resource, registry);
    return declared === undefined ? [] : [{ kind: printKind(resource), declared }];
  });
  const warnings: ExpressionWarning[] = [];
  const check = (fieldRef: string, expression: string): void => {
    const problems = checks.flatMap(({ kind, declared }) => {
      const message = problemOf(spec, expression, declared);
      return message === undefined ? [] : [`${kind}: ${message}\n`];
    });
    if (problems.length > 0) warnings.push({ fieldRef, warning: problems.join("\n") });
  };
  for (const [index, { expression = "", messageExpression = "" }] of (spec.validations ?? []).entries()) {
    check(`spec.validations[${index}].expression`, expression);
    if (messageExpression !== "") check(`spec.validations[${index}].messageExpression`, messageExpression);
  }
  return warnings;
}

function problemOf(
  { variables = [] }: PolicySpec,
  expression: string,
  declarations: PolicyDeclarations,
): string | undefined {
  const compiler = new PolicyCompiler(true);
  for (const { name = "", expression: value = "" } of variables) {
    compiler.addVariable(name, { expression: value, declarations });
  }
  const compiled = compiler.compile({ expression, declarations });
  return compiled.kind === "rejected" ? compiled.message.replace(/^compilation failed: /, "") : undefined;
}

/** The kinds that rules name without wildcards, sorted. */
function kindsOf({ matchConstraints }: PolicySpec, registry: Registry): readonly Resource[] {
  const found = new Set<Resource>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes("*"))) continue;
    const plain = resources.filter((name) => !/[*/]/.test(name));
    const named = registry.resources().filter(({ group, version, plural }) => {
      // An empty group stands for any, as in kube-apiserver's RESTMapper.
      const inGroup = apiGroups.includes(group) || apiGroups.includes("");
      return inGroup && apiVersions.includes(version) && plain.includes(plural);
    });
    for (const resource of named.slice(0, maxKinds)) found.add(resource);
  }
  const key = ({ group, version, kind }: Resource): string => [group, version, kind].join("\0");
  return [...found].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

function declarationsOf(spec: PolicySpec, resource: Resource, registry: Registry): PolicyDeclarations | undefined {
  const object = declare(resource, registry);
  if (object === undefined) return undefined;
  const { paramKind } = spec;
  const params =
    paramKind &&
    registry
      .resources()
      .find(
        ({ group, version, kind }) =>
          kind === paramKind.kind && formatApiVersion(group, version) === paramKind.apiVersion,
      );
  const declaredParams = params && declare(params, registry);
  const structs: [string, StructDecl][] = [
    ...admissionStructs,
    ...object.structs,
    ...(declaredParams ? declaredParams.structs : []),
  ];
  const { request = dynType, namespaceObject = dynType } = admissionVariables();
  const variables: Record<string, CelType> = {
    object: object.type,
    oldObject: object.type,
    request,
    namespaceObject,
    authorizer: authorizerType,
    ...(paramKind && { params: declaredParams?.type ?? dynType }),
  };
  return { variables, structs: new Map(structs) };
}

/** The type of a kind's objects; undefined for a kind whose schema is unknown. */
function declare(resource: Resource, registry: Registry): SchemaDeclaration | undefined {
  const schema = resource.schema();
  if (schema === undefined) return undefined;
  return schemaDeclaration(plainSchema(withMetadata(schema, registry), new Set()), { name: resource.kind });
}

/** The schema of a custom resource does not describe its metadata. */
function withMetadata(schema: Schema, registry: Registry): Schema {
  const metadata = registry.find("", "v1", "configmaps")?.schema()?.properties?.["metadata"];
  const text: Schema = { type: "string" };
  if (metadata === undefined) return schema;
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}

/** Values of this schema have any type. */
const anything: Schema = { "x-kubernetes-int-or-string": true };

/** A schema of a built-in kind without wrappers of references. Parts without a type, and parts that contain themselves, have any type. */
function plainSchema(schema: Schema, above: ReadonlySet<Schema>): Schema {
  const structure = structureOf(schema) ?? schema;
  if (structure.type === undefined || above.has(structure)) return anything;
  const here = new Set([...above, structure]);
  const { properties, items, additionalProperties } = structure;
  return {
    ...structure,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, plainSchema(one, here)])),
    }),
    ...(items && { items: plainSchema(items, here) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: plainSchema(additionalProperties, here) }),
  };
}

function printKind({ group, version, kind }: Resource): string {
  return `${group}/${version}, Kind=${kind}`;
}
