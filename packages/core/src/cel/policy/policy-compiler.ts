import type { Environment, StructDecl } from "../check/environment.js";
import { kubernetesEnvironment } from "../kubernetes-environment.js";
import { type Compiled, compile } from "../program.js";
import { type CelType, dynType, formatType, listType, mapType, sameType, structType } from "../types/cel-type.js";
import type { PolicyVariables } from "./variables-value.js";

const variablesName = "kubernetes.variables";

/** The variables of an expression, and the types of objects that they refer to. */
export interface PolicyDeclarations {
  readonly variables: Readonly<Record<string, CelType>>;
  readonly structs: ReadonlyMap<string, StructDecl>;
}

/** What one expression of a policy may use, and must return. */
export interface PolicyExpression {
  readonly expression: string;
  readonly declarations: PolicyDeclarations;
  /** The types of which it must return one. @default any */
  readonly returns?: readonly CelType[];
  /** Whether it may make apply configurations and JSON patches. @default false */
  readonly makesPatches?: boolean;
}

/** Compiles the expressions of one policy: its variables first, in their order, because later expressions refer to them. */
export class PolicyCompiler {
  readonly #compiled = new Map<string, Compiled>();
  readonly #types = new Map<string, CelType>();
  readonly #composes: boolean;

  /** @param composes - whether expressions may read `variables` */
  constructor(composes: boolean) {
    this.#composes = composes;
  }

  /** The compiled variables. */
  get variables(): PolicyVariables {
    return this.#compiled;
  }

  /** Compiles a variable, which later expressions read as `variables.<name>`, also if it is rejected. */
  addVariable(name: string, expression: PolicyExpression): Compiled {
    const compiled = this.compile(expression);
    this.#compiled.set(name, compiled);
    this.#types.set(name, compiled.kind === "program" ? declaredType(compiled.program.type) : dynType);
    return compiled;
  }

  /** Compiles an expression. What is rejected has the message that kube-apiserver reports. */
  compile({ expression, declarations, returns, makesPatches = false }: PolicyExpression): Compiled {
    const compiled = compile(expression, this.#environment(declarations, makesPatches));
    if (compiled.kind === "rejected") return { ...compiled, message: `compilation failed: ${compiled.message}` };
    const { type } = compiled.program;
    if (returns === undefined || returns.some((one) => sameType(one, type))) return compiled;
    const names = returns.map(formatReturned);
    const expected = names.length === 1 ? names[0] : `one of [${names.join(" ")}]`;
    return { kind: "rejected", issues: [], message: `must evaluate to ${expected} but got ${formatReturned(type)}` };
  }

  #environment({ variables, structs }: PolicyDeclarations, makesPatches: boolean): Environment {
    const extraLibraries = makesPatches ? ["jsonpatch"] : [];
    if (!this.#composes) return kubernetesEnvironment({ variables, structs, extraLibraries });
    return kubernetesEnvironment({
      variables: { ...variables, variables: structType(variablesName) },
      structs: new Map([...structs, [variablesName, { fields: this.#types }]]),
      extraLibraries,
    });
  }
}

/** The type of a variable for the expressions that read it: objects, and types of libraries, are not known there. */
function declaredType(type: CelType): CelType {
  const [first = dynType, second = dynType] = type.params;
  switch (type.kind) {
    case "bool":
    case "bytes":
    case "double":
    case "duration":
    case "int":
    case "null":
    case "string":
    case "timestamp":
    case "uint":
      return type;
    case "list":
      return listType(declaredType(first));
    case "map":
      return mapType(declaredType(first), declaredType(second));
    default:
      return dynType;
  }
}

/** A type as this message shows it, which is not how those of the checker do. */
function formatReturned(type: CelType): string {
  if (type.params.length === 0) return type.name;
  return formatType(type);
}
