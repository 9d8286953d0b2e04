import { check } from "./check/check.js";
import type { Environment } from "./check/environment.js";
import { validateLiterals } from "./check/validate-literals.js";
import type { Range } from "./cost/estimate.js";
import { CostEstimator, type MaxSizes } from "./cost/estimate-cost.js";
import { Activation } from "./evaluate/activation.js";
import { Planner } from "./evaluate/planner.js";
import { parse } from "./syntax/parse.js";
import type { Issue } from "./syntax/source.js";
import type { CelType } from "./types/cel-type.js";
import { CostExceeded, EvalFailure } from "./values/eval-failure.js";
import type { CelValue } from "./values/value.js";
import { WorkMeter } from "./values/work.js";

/** An expression that can be evaluated, or why it cannot. */
export type Compiled =
  | { readonly kind: "program"; readonly program: Program }
  | {
      readonly kind: "rejected";
      readonly issues: readonly Issue[];
      /** All issues as cel-go prints them, each with the line and a caret. */
      readonly message: string;
    };

/** A compiled expression. Evaluating it changes nothing in it, so it may be kept and shared. */
export interface Program {
  readonly source: string;
  readonly type: CelType;
  /** The names of the environment's variables that it reads. */
  readonly variables: readonly string[];
  /** What one evaluation may cost, given how large the parts of variables may be. */
  estimateCost(maxSizes: MaxSizes): Range;
  /** Every variable that is read must be in `bindings`. Stops when the cost exceeds `costLimit`. @default no limit */
  evaluate(bindings: Readonly<Record<string, CelValue>>, costLimit?: number): Evaluation;
}

/** The value of an expression or why it has none, and what finding out has cost. */
export type Evaluation =
  | { readonly kind: "value"; readonly value: CelValue; readonly cost: number }
  | { readonly kind: "failed"; readonly message: string; readonly cost: number }
  | { readonly kind: "cost-exceeded"; readonly message: string; readonly cost: number };

/** Parses, checks and plans an expression. Never throws for what an expression says. */
export function compile(source: string, environment: Environment): Compiled {
  const parsed = parse(source, environment);
  const rejected = (issues: readonly Issue[]): Compiled => ({
    kind: "rejected",
    issues,
    message: parsed.source.format(issues),
  });
  if (parsed.expr === undefined) return rejected(parsed.issues);
  const { checked, issues } = check(parsed.expr, environment, parsed.source);
  if (issues.length > 0) return rejected(issues);
  if (environment.validatesLiterals) {
    const invalid = validateLiterals(checked, parsed.source);
    if (invalid.length > 0) return rejected(invalid);
  }
  const planner = new Planner(checked, environment);
  try {
    const step = planner.step(parsed.expr);
    const { size, inputs } = planner;
    const program: Program = {
      source,
      type: checked.typeOf(parsed.expr),
      variables: inputs.map(([name]) => name),
      estimateCost: (maxSizes) => new CostEstimator(checked, environment.functions, maxSizes).cost(checked.expr),
      evaluate(bindings, costLimit = Number.POSITIVE_INFINITY) {
        const activation = new Activation(size, costLimit);
        for (let index = 0; index < inputs.length; index++) {
          const [name, slot] = inputs[index] as readonly [string, number];
          const value = bindings[name];
          if (value === undefined) return { kind: "failed", message: `no such attribute(s): ${name}`, cost: 0 };
          activation.slots[slot] = value;
        }
        const meter = new WorkMeter(costLimit);
        try {
          const value = step(activation);
          activation.checkCost();
          return { kind: "value", value, cost: meter.end(activation.cost) };
        } catch (error) {
          const cost = meter.end(activation.cost);
          if (error instanceof EvalFailure) return { kind: "failed", message: error.message, cost };
          // A RangeError is a string, list or nesting larger than JavaScript can hold: no budget would pay for it.
          if (error instanceof CostExceeded || error instanceof RangeError) {
            return { kind: "cost-exceeded", message: new CostExceeded().message, cost };
          }
          throw error;
        }
      },
    };
    return { kind: "program", program };
  } catch (error) {
    // A literal that cannot be converted, or a pattern that RE2 rejects.
    if (!(error instanceof EvalFailure)) throw error;
    return { kind: "rejected", issues: [{ line: -1, column: 0, message: error.message }], message: error.message };
  }
}
