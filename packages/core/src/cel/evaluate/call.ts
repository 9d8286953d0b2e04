import { accepts, type CallCost, type Implementation, type Overload } from "../check/overload.js";
import { type CelType, isDynOrError } from "../types/cel-type.js";
import { EvalFailure, noSuchOverload } from "../values/eval-failure.js";
import { typeOf } from "../values/type-of.js";
import { type CelValue, ListValue, OpaqueValue } from "../values/value.js";
import { work } from "../values/work.js";
import type { Activation, Step } from "./activation.js";

/** A call whose overloads the checker has found. */
export interface FunctionCall {
  readonly name: string;
  readonly overloads: readonly Overload[];
  readonly args: readonly Step[];
  /** The types of the arguments before evaluation. */
  readonly types: readonly CelType[];
  /** @default 1 for each call */
  readonly cost: CallCost | undefined;
}

/** A step that evaluates the arguments and calls the overload that takes them. */
export function callStep({ name, overloads, args, types, cost }: FunctionCall): Step {
  const implementation = chooser(name, overloads, types);
  const [first, second, third] = args;
  if (first === undefined) {
    const call = implementation as () => CelValue;
    return (activation) => {
      activation.cost += 1;
      return call();
    };
  }
  // A cost that the arguments decide is charged before the call, so that no call goes far beyond the limit.
  const isEarly = cost !== undefined && cost.length < 2;
  const run = (activation: Activation, values: readonly CelValue[]): CelValue => {
    if (isEarly) {
      activation.cost += cost(values, null);
      activation.checkCost();
    }
    for (const value of values) work(bulkOf(value));
    const [a, b, c, d] = values as [CelValue, CelValue, CelValue, CelValue];
    const result = implementation(a, b, c, d);
    if (!isEarly) activation.cost += cost === undefined ? 1 : cost(values, result);
    return result;
  };
  if (cost !== undefined || third !== undefined) {
    return (activation) =>
      run(
        activation,
        args.map((step) => step(activation)),
      );
  }
  if (second === undefined) {
    const call = implementation as (a: CelValue) => CelValue;
    return (activation) => {
      activation.cost += 1;
      const value = first(activation);
      work(bulkOf(value));
      return call(value);
    };
  }
  const call = implementation as (a: CelValue, b: CelValue) => CelValue;
  return (activation) => {
    activation.cost += 1;
    const a = first(activation);
    const b = second(activation);
    work(bulkOf(a) + bulkOf(b));
    return call(a, b);
  };
}

/** The work of reading a value once, without looking into its elements. */
function bulkOf(value: CelValue): number {
  if (typeof value === "string") return value.length * 5;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length * 5;
  return value instanceof OpaqueValue ? (value.bulk ?? 0) : 0;
}

/** Functions that check their arguments themselves, with a shorter message. */
const unguarded: ReadonlySet<string> = new Set(["contains", "endsWith", "matches", "startsWith"]);

/** The overload itself where types are known before evaluation; otherwise a search by the types of the values. */
function chooser(name: string, overloads: readonly Overload[], types: readonly CelType[]): Implementation {
  const [only] = overloads;
  const takes = (param: CelType, type: CelType): boolean =>
    !isDynOrError(type) || param.kind === "param" || isDynOrError(param);
  if (overloads.length === 1 && only?.params.every((param, index) => takes(param, types[index] ?? param)))
    return only.call;
  return (...given) => {
    const values = given.slice(0, types.length);
    const fitting = overloads.find((one) => accepts(one, values));
    if (fitting !== undefined) return fitting.call(...given);
    if (unguarded.has(name)) throw noSuchOverload();
    if (name === "size") throw new EvalFailure("no such overload: size");
    throw new EvalFailure(`no such overload: ${name}(${values.map((value) => typeOf(value).name).join(", ")})`);
  };
}
