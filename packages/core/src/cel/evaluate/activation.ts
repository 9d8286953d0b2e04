import { CostExceeded, type EvalFailure } from "../values/eval-failure.js";
import type { CelValue } from "../values/value.js";

/** What one evaluation knows: the values of variables by slot, and what it has cost so far. */
export class Activation {
  readonly slots: (CelValue | undefined)[];
  readonly limit: number;
  cost = 0;

  constructor(size: number, limit: number) {
    this.slots = new Array(size);
    this.limit = limit;
  }

  /** Called once for each round of a loop, and at the end: between them an expression is as long as it is written. */
  checkCost(): void {
    if (this.cost > this.limit) throw new CostExceeded();
  }
}

/** Evaluates one node. Throws {@link EvalFailure} or {@link CostExceeded}. */
export type Step = (activation: Activation) => CelValue;
