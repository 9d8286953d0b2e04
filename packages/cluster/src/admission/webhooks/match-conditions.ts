import type { Evaluation, Program } from "@kubewright/core/cel";
import { compileCondition } from "../../registry/index.js";
import { admissionBindings, type ExpressionInput } from "../expressions/index.js";

/** The highest cost of one expression, and of all expressions of a webhook, in cel-go's units. */
const costPerExpression = 1_000_000;
const costPerWebhook = 2_500_000;

/** The result of match conditions: an error only with the failurePolicy Fail. */
export type ConditionResult =
  | { readonly kind: "matches" | "differs" }
  | { readonly kind: "failed"; readonly why: string };

/** The match conditions of a webhook or a policy, compiled on first use. */
export class MatchConditions {
  readonly #expressions: readonly string[];
  readonly #failsOpen: boolean;
  #programs: readonly (Program | string)[] | undefined;

  constructor(conditions: readonly { readonly expression?: string | undefined }[], failurePolicy: string) {
    this.#expressions = conditions.map(({ expression = "" }) => expression);
    this.#failsOpen = failurePolicy === "Ignore";
  }

  /** Evaluates all conditions. One that is false decides; otherwise an error is left to the failurePolicy. */
  evaluate(input: ExpressionInput): ConditionResult {
    this.#programs ??= this.#expressions.map((expression) => {
      const compiled = compileCondition(expression);
      return compiled.kind === "program" ? compiled.program : compiled.message;
    });
    const bindings = admissionBindings(input);
    const errors: string[] = [];
    let left = costPerWebhook;
    for (const [index, program] of this.#programs.entries()) {
      const expression = this.#expressions[index]?.trim() ?? "";
      if (typeof program === "string") {
        errors.push(`compilation error: ${program}`);
        continue;
      }
      const result: Evaluation = program.evaluate(bindings, Math.min(costPerExpression, left));
      left -= result.cost;
      if (result.kind === "cost-exceeded" && left < costPerExpression)
        return this.#failed([
          "validation failed due to running out of cost budget, no further validation rules will be run",
        ]);
      if (result.kind !== "value") errors.push(`expression '${expression}' resulted in error: ${result.message}`);
      else if (result.value === false) return { kind: "differs" };
    }
    return errors.length === 0 ? { kind: "matches" } : this.#failed(errors);
  }

  #failed(errors: readonly string[]): ConditionResult {
    if (this.#failsOpen) return { kind: "differs" };
    const [first = ""] = errors;
    return { kind: "failed", why: errors.length === 1 ? first : `[${errors.join(", ")}]` };
  }
}
