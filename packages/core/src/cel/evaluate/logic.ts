import { EvalFailure, noSuchOverload } from "../values/eval-failure.js";
import type { CelValue } from "../values/value.js";
import type { Activation, Step } from "./activation.js";

/**
 * `&&` of its operands when `decisive` is false, `||` when it is true. The first operand that is `decisive` decides; failures of others
 * matter only when none does.
 */
export function logic(operands: readonly Step[], decisive: boolean): Step {
  const [first, second] = operands;
  if (operands.length === 2 && first !== undefined && second !== undefined) return pair(first, second, decisive);
  return (activation) => {
    let failure: EvalFailure | undefined;
    for (const operand of operands) {
      try {
        const value = operand(activation);
        if (value === decisive) return decisive;
        if (value !== !decisive) failure ??= noSuchOverload();
      } catch (error) {
        if (!(error instanceof EvalFailure)) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return !decisive;
  };
}

function pair(first: Step, second: Step, decisive: boolean): Step {
  return (activation) => {
    const left = attempt(first, activation);
    if (left === decisive) return decisive;
    if (left === !decisive) {
      const right = second(activation);
      if (typeof right === "boolean") return right;
      throw noSuchOverload();
    }
    if (attempt(second, activation) === decisive) return decisive;
    throw left instanceof EvalFailure ? left : noSuchOverload();
  };
}

function attempt(step: Step, activation: Activation): CelValue | EvalFailure {
  try {
    return step(activation);
  } catch (error) {
    if (error instanceof EvalFailure) return error;
    throw error;
  }
}
