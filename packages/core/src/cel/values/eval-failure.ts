/**
 * Why an evaluation has no value. `&&`, `||` and the quantifiers absorb it, so it is thrown often: it is no `Error`, whose stack costs
 * microseconds.
 */
export class EvalFailure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Thrown when the cost of an evaluation exceeds its limit. Nothing absorbs it. */
export class CostExceeded {
  readonly message = "operation cancelled: actual cost limit exceeded";
}

export function noSuchOverload(): EvalFailure {
  return new EvalFailure("no such overload");
}
