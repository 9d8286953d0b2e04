import {
  applyConfigurationType,
  boolType,
  type CelType,
  type Compiled,
  jsonPatchType,
  listType,
  nullType,
  PolicyCompiler,
  type PolicyVariables,
  stringType,
} from "@kubewright/core/cel";
import type {
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicySpec,
} from "kubewright/k8s/admissionregistration/v1";
import type { Decoded } from "../../decoded.js";
import { admissionStructs, admissionVariables } from "./admission-expressions.js";

/** The fields of both kinds of policies that contain expressions. */
export type PolicySpec = Decoded<
  Omit<ValidatingAdmissionPolicySpec, "validations"> & Pick<ValidatingAdmissionPolicySpec, "validations">
> &
  Pick<Decoded<MutatingAdmissionPolicySpec>, "mutations">;

/** A policy whose expressions are compiled, in the order in which the policy lists them. An expression that is empty is undefined. */
export interface CompiledPolicy {
  readonly variables: PolicyVariables;
  readonly matchConditions: readonly Compiled[];
  readonly validations: readonly Compiled[];
  readonly messages: readonly (Compiled | undefined)[];
  readonly auditAnnotations: readonly Compiled[];
  readonly mutations: readonly (Compiled | undefined)[];
}

const patches: Readonly<Record<string, CelType>> = {
  ApplyConfiguration: applyConfigurationType,
  JSONPatch: listType(jsonPatchType),
};

/** Compiles the expressions of a policy as they are evaluated: all of them may read its variables. */
export function compilePolicy(spec: PolicySpec): CompiledPolicy {
  const expressions = new PolicyExpressions(spec, true);
  for (const { name = "", expression = "" } of spec.variables ?? []) expressions.variable(name, expression);
  return {
    variables: expressions.variables,
    matchConditions: (spec.matchConditions ?? []).map(({ expression = "" }) => expressions.condition(expression)),
    validations: (spec.validations ?? []).map(({ expression = "" }) => expressions.condition(expression)),
    messages: (spec.validations ?? []).map(({ messageExpression = "" }) =>
      messageExpression === "" ? undefined : expressions.message(messageExpression),
    ),
    auditAnnotations: (spec.auditAnnotations ?? []).map(({ valueExpression = "" }) =>
      expressions.annotation(valueExpression),
    ),
    mutations: (spec.mutations ?? []).map(({ patchType = "", applyConfiguration, jsonPatch }) => {
      const given = patchType === "JSONPatch" ? jsonPatch : applyConfiguration;
      return given && expressions.mutation(patchType, given.expression ?? "");
    }),
  };
}

/** Compiles single expressions of a policy, by what they are for. */
export class PolicyExpressions {
  readonly #compiler: PolicyCompiler;
  readonly #params: boolean;

  /** @param composes - whether expressions may read `variables` */
  constructor({ paramKind }: Pick<PolicySpec, "paramKind">, composes: boolean) {
    this.#compiler = new PolicyCompiler(composes);
    this.#params = paramKind !== undefined;
  }

  get variables(): PolicyVariables {
    return this.#compiler.variables;
  }

  /** A variable, which later expressions may read. */
  variable(name: string, expression: string): Compiled {
    return this.#compiler.addVariable(name, { expression, declarations: this.#declarations(true) });
  }

  /** A validation or a match condition. */
  condition(expression: string): Compiled {
    return this.#compile(expression, [boolType]);
  }

  message(expression: string): Compiled {
    return this.#compiler.compile({ expression, declarations: this.#declarations(false), returns: [stringType] });
  }

  annotation(expression: string): Compiled {
    return this.#compile(expression, [stringType, nullType]);
  }

  mutation(patchType: string, expression: string): Compiled {
    const declarations = this.#declarations(true);
    const returns = [patches[patchType] ?? applyConfigurationType];
    return this.#compiler.compile({ expression, declarations, returns, makesPatches: true });
  }

  #compile(expression: string, returns: readonly CelType[]): Compiled {
    return this.#compiler.compile({ expression, declarations: this.#declarations(true), returns });
  }

  #declarations(authorizer: boolean) {
    return { variables: admissionVariables({ params: this.#params, authorizer }), structs: admissionStructs };
  }
}
