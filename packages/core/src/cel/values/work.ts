import { CostExceeded } from "./eval-failure.js";

/**
 * Kubernetes' costs are far below the time that some functions take: `format` costs as much as its format is long, whatever it prints, and
 * `charAt` costs 1 for a string of any length. Such functions report their work, in units of about 2 ns, and an evaluation costs at least
 * one unit of cost for this much of it.
 */
const workPerCost = 20;
/** So much is free, so that expressions on objects of ordinary size cost exactly what they cost on kube-apiserver. */
const freeWork = 20_000;

let spent = 0;
let limit = Number.POSITIVE_INFINITY;

/** Reports work. Throws {@link CostExceeded} if no budget pays for it. */
export function work(amount: number): void {
  spent += amount;
  if (spent > limit) throw new CostExceeded();
}

/** The work of one evaluation. Evaluations are synchronous, and nest where one reads a variable that another computes. */
export class WorkMeter {
  readonly #outerSpent = spent;
  readonly #outerLimit = limit;

  constructor(costLimit: number) {
    limit = Math.min(costLimit * workPerCost + freeWork, limit - spent);
    spent = 0;
  }

  /** Ends the evaluation. Returns its cost: what Kubernetes charges, unless its work is worth more. */
  end(cost: number): number {
    const least = Math.ceil((spent - freeWork) / workPerCost);
    limit = this.#outerLimit;
    spent = this.#outerSpent;
    return Math.max(cost, least);
  }
}
