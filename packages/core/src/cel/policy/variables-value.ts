import type { Compiled } from "../program.js";
import { EvalFailure } from "../values/eval-failure.js";
import { type CelValue, MapValue } from "../values/value.js";

/** The named expressions of a policy, in their order. */
export type PolicyVariables = ReadonlyMap<string, Compiled>;

/** What one evaluation of a variable may cost. */
const callLimit = 1_000_000;

/** The variable `variables` of a policy: each is evaluated when it is first read, and then kept. */
export class VariablesValue extends MapValue {
  readonly #variables: PolicyVariables;
  readonly #bindings: Readonly<Record<string, CelValue>>;
  readonly #known = new Map<string, CelValue | EvalFailure>();
  #cost = 0;

  constructor(variables: PolicyVariables, bindings: Readonly<Record<string, CelValue>>) {
    super();
    this.#variables = variables;
    this.#bindings = { ...bindings, variables: this };
  }

  get size(): number {
    return this.#variables.size;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") return undefined;
    const compiled = this.#variables.get(key);
    if (compiled === undefined) return undefined;
    const known = this.#known.get(key) ?? this.#evaluate(key, compiled);
    this.#known.set(key, known);
    if (known instanceof EvalFailure) throw known;
    return known;
  }

  keys(): CelValue[] {
    return [...this.#variables.keys()];
  }

  /** The cost of the variables evaluated since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(name: string, compiled: Compiled): CelValue | EvalFailure {
    if (compiled.kind === "rejected") {
      return new EvalFailure(`composited variable "${name}" fails to compile: ${compiled.message}`);
    }
    const result = compiled.program.evaluate(this.#bindings, callLimit);
    this.#cost += result.cost;
    if (result.kind === "value") return result.value;
    return new EvalFailure(`composited variable "${name}" fails to evaluate: ${result.message}`);
  }
}
