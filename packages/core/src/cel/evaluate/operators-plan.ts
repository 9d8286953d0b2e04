import type { CallCost, FunctionDecl, Overload } from "../check/overload.js";
import { matches, pattern } from "../library/patterns.js";
import { equals } from "../values/equality.js";
import { noSuchOverload } from "../values/eval-failure.js";
import { mapKey } from "../values/literal-map.js";
import { costSize, patternFactor, stringFactor, traversal } from "../values/sizes.js";
import { type CelValue, DoubleValue, ListValue, OpaqueValue, UintValue } from "../values/value.js";
import { work } from "../values/work.js";
import type { Step } from "./activation.js";
import { binaryOperators, negate, not } from "./operators.js";
import { type Plan, stepOf } from "./plan.js";

/** A step for an operator, or undefined for a function. The overload is given where types are known before evaluation. */
export function operatorStep(name: string, args: readonly Step[], overload: Overload | undefined): Step | undefined {
  const [left, right] = args;
  if (left === undefined) return undefined;
  if (name === "!_") return unary(left, not);
  if (name === "-_") return unary(left, negate);
  if (right === undefined) return undefined;
  if (name === "_==_") return equality(left, right, true);
  if (name === "_!=_") return equality(left, right, false);
  const operate = binaryOperators[name];
  if (operate === undefined) return undefined;
  const cost = overload?.cost;
  if (cost === undefined) {
    return (activation) => {
      activation.cost += 1;
      return operate(left(activation), right(activation));
    };
  }
  return (activation) => {
    const a = left(activation);
    const b = right(activation);
    const result = operate(a, b);
    activation.cost += cost([a, b], result);
    return result;
  };
}

function unary(operand: Step, operate: (value: CelValue) => CelValue): Step {
  return (activation) => {
    activation.cost += 1;
    return operate(operand(activation));
  };
}

function equality(left: Step, right: Step, expected: boolean): Step {
  return (activation) => {
    // A failure counts as long as one unit.
    activation.cost += 1;
    const a = left(activation);
    const b = right(activation);
    activation.cost += equalityCost(a, b, expected) - 1;
    // Comparing with an empty list is free, and so would be any number of comparisons.
    work(10);
    return equals(a, b) === expected;
  };
}

/** As walking over the shorter of the two. `==` of Kubernetes' own types costs 1. */
function equalityCost(left: CelValue, right: CelValue, isEquals: boolean): number {
  if (typeof left === "number" || typeof left === "boolean") return 1;
  if (isEquals && left instanceof OpaqueValue) return 1;
  if (typeof left === "string" && typeof right === "string")
    return traversal(left.length < right.length ? left : right);
  return Math.ceil(Math.min(costSize(left), costSize(right)) * 0.1);
}

/** `text.matches("literal")`: the pattern is compiled once. */
export function matchStep(text: Step, source: string): Step {
  const compiled = pattern(source);
  const patternCost = Math.ceil(costSize(source) * patternFactor);
  return (activation) => {
    const given = text(activation);
    if (typeof given !== "string") throw noSuchOverload();
    activation.cost += Math.ceil((1 + costSize(given)) * stringFactor) * patternCost;
    activation.checkCost();
    return matches(compiled, given);
  };
}

const conversions: ReadonlySet<string> = new Set(
  "bool bytes double duration dyn int null string timestamp type uint".split(" "),
);

/** Whether a call of this function with a literal is made once, before any evaluation. */
export function foldsConstants(name: string): boolean {
  return conversions.has(name);
}

/** What a call costs: Kubernetes decides by the name of a function, cel-go by its overload. */
export function callCost(declared: FunctionDecl | undefined, overloads: readonly Overload[]): CallCost | undefined {
  return declared?.cost ?? (overloads.length === 1 ? overloads[0]?.cost : undefined);
}

/** `x in [literals]`: a look into a set, which costs no more than `x`. */
export function memberOfConstants(plans: readonly Plan[], overloadId: string): Plan | undefined {
  const [value, list] = plans;
  if (overloadId !== "in_list" || value === undefined || list?.kind !== "constant") return undefined;
  if (!(list.value instanceof ListValue)) return undefined;
  if (list.value.length === 0) return { kind: "constant", value: false };
  const { items } = list.value;
  if (!items.every(isPrimitive)) return undefined;
  const keys = new Set(items.map(mapKey));
  const operand = stepOf(value);
  return { kind: "step", step: (activation) => keys.has(mapKey(operand(activation))) };
}

function isPrimitive(value: CelValue): boolean {
  return typeof value !== "object" || value === null || value instanceof DoubleValue || value instanceof UintValue;
}
