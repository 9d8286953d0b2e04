import { resolveFieldPath, type Schema, type ValidationRule } from "../../schema/index.js";
import type { Environment } from "../check/environment.js";
import { kubernetesEnvironment } from "../kubernetes-environment.js";
import { compile, type Program } from "../program.js";
import type { SchemaDeclaration } from "../schema/schema-declaration.js";
import { boolType, type CelType, optionalType, stringType } from "../types/cel-type.js";

/** A rule of a schema, ready to be evaluated, or why it cannot be. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined for a rule that is empty or has an error. */
  readonly program: Program | undefined;
  readonly error: string | undefined;
  /** Whether it compares with the old value: a transition rule. */
  readonly usesOldSelf: boolean;
  readonly messageProgram: Program | undefined;
  readonly messageError: string | undefined;
  /** The path of the reported field below the schema's own, such as `.spec.image`; empty for the schema's own. */
  readonly fieldPath: string;
}

/** Compiles the rules of one schema, without those of its parts. `declaration` is that of the schema. */
export function compileRules(schema: Schema, declaration: SchemaDeclaration): CompiledRule[] {
  const { type, structs } = declaration;
  const environmentOf = (oldSelf: CelType): Environment =>
    kubernetesEnvironment({ variables: { self: type, oldSelf }, structs });
  const [plain, optional] = [environmentOf(type), environmentOf(optionalType(type))];
  return (schema["x-kubernetes-validations"] ?? []).map((rule) =>
    compileRule(rule, rule.optionalOldSelf === true ? optional : plain, schema),
  );
}

function compileRule(rule: ValidationRule, environment: Environment, schema: Schema): CompiledRule {
  const none = {
    rule,
    program: undefined,
    error: undefined,
    usesOldSelf: false,
    messageProgram: undefined,
    messageError: undefined,
    fieldPath: "",
  };
  if ((rule.rule ?? "").trim() === "") return none;
  const compiled = compile(rule.rule, environment);
  if (compiled.kind === "rejected") return { ...none, error: `compilation failed: ${compiled.message}` };
  const { program } = compiled;
  if (program.type !== boolType) return { ...none, error: "cel expression must evaluate to a bool" };
  return {
    ...none,
    program,
    usesOldSelf: program.variables.includes("oldSelf"),
    ...compileMessage(rule, environment),
    fieldPath: fieldPathOf(rule, schema),
  };
}

function compileMessage(
  { messageExpression = "" }: ValidationRule,
  environment: Environment,
): Partial<Pick<CompiledRule, "messageProgram" | "messageError">> {
  if (messageExpression === "") return {};
  const compiled = compile(messageExpression, environment);
  if (compiled.kind === "rejected")
    return { messageError: `messageExpression compilation failed: ${compiled.message}` };
  if (compiled.program.type !== stringType) return { messageError: "messageExpression must evaluate to a string" };
  return { messageProgram: compiled.program };
}

/** A key of a map is printed in brackets, a property after a dot. */
function fieldPathOf({ fieldPath = "" }: ValidationRule, schema: Schema): string {
  if (fieldPath === "") return "";
  const found = resolveFieldPath(fieldPath, schema);
  if (found.kind === "invalid") return "";
  let current: Schema | undefined = schema;
  let path = "";
  for (const step of found.steps) {
    const isProperty: boolean = current?.properties !== undefined;
    path += isProperty ? `.${step}` : `[${step}]`;
    const { additionalProperties }: Schema = current ?? {};
    current = isProperty
      ? current?.properties?.[step]
      : typeof additionalProperties === "object"
        ? additionalProperties
        : undefined;
  }
  return path;
}
