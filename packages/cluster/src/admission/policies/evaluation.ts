import { type CelValue, type Compiled, VariablesValue } from "@kubewright/core/cel";
import type { JsonObject } from "@kubewright/core/json";
import type { CompiledPolicy } from "../../registry/index.js";
import { admissionBindings, type ExpressionInput } from "../expressions/index.js";

/** What one expression may cost, and all expressions of a list. */
const costPerExpression = 1_000_000;
const costOfAll = 10_000_000;
const costOfConditions = 2_500_000;

/** The result of one expression; undefined for one that is absent. */
export type Result =
  | { readonly kind: "value"; readonly value: CelValue }
  | { readonly kind: "failed"; readonly message: string }
  | undefined;

/** Thrown when the expressions of a list cost too much together. */
export class OutOfBudget extends Error {
  override readonly name = "OutOfBudget";

  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
  }
}

/** Whether match conditions hold, or why that is not known. */
export type ConditionsResult =
  | { readonly kind: "match" | "differ" }
  | { readonly kind: "failed"; readonly message: string };

/** Evaluates the expressions of a policy for one request and one object of parameters. */
export class PolicyEvaluation {
  readonly #policy: CompiledPolicy;
  readonly #input: ExpressionInput;
  readonly #bindings: Readonly<Record<string, CelValue>>;

  constructor(policy: CompiledPolicy, input: ExpressionInput) {
    this.#policy = policy;
    this.#input = input;
    this.#bindings = admissionBindings(input);
  }

  /** The object of the request. */
  get object(): JsonObject | undefined {
    return this.#input.object;
  }

  /** Evaluates expressions in order, with variables of their own. Throws {@link OutOfBudget}. */
  evaluate(expressions: readonly (Compiled | undefined)[], budget: { left: number } = { left: costOfAll }): Result[] {
    return this.#evaluate(expressions, this.#bindings, budget);
  }

  /** Evaluates the match conditions, which do not know the namespace. */
  conditions(failsOpen: boolean): ConditionsResult {
    const { matchConditions } = this.#policy;
    if (matchConditions.length === 0) return { kind: "match" };
    const failed = (message: string): ConditionsResult =>
      failsOpen ? { kind: "differ" } : { kind: "failed", message };
    try {
      const bindings = admissionBindings({ ...this.#input, namespace: undefined });
      const results = this.#evaluate(matchConditions, bindings, { left: costOfConditions });
      if (results.some((result) => result?.kind === "value" && result.value === false)) return { kind: "differ" };
      const messages = [...new Set(results.flatMap((result) => (result?.kind === "failed" ? [result.message] : [])))];
      if (messages.length === 0) return { kind: "match" };
      return failed(messages.length === 1 ? (messages[0] ?? "") : `[${messages.join(", ")}]`);
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      return failed(error.message);
    }
  }

  #evaluate(
    expressions: readonly (Compiled | undefined)[],
    bindings: Readonly<Record<string, CelValue>>,
    budget: { left: number },
  ): Result[] {
    const variables = new VariablesValue(this.#policy.variables, bindings);
    const all = { ...bindings, variables };
    return expressions.map((compiled) => {
      if (compiled === undefined) return undefined;
      if (compiled.kind === "rejected") return { kind: "failed", message: `compilation error: ${compiled.message}` };
      const { program } = compiled;
      const result = program.evaluate(all, costPerExpression);
      budget.left -= variables.takeCost() + result.cost;
      if (budget.left < 0) throw new OutOfBudget();
      if (result.kind === "value") return result;
      return { kind: "failed", message: `expression '${program.source}' resulted in error: ${result.message}` };
    });
  }
}
