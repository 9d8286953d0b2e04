import type { EstimateCall } from "../cost/estimate.js";
import { type CelType, isDynOrError, type TypeOf } from "../types/cel-type.js";
import { typeOf } from "../values/type-of.js";
import { type CelValue, ListValue, MapValue } from "../values/value.js";

/** What carries out a function; it takes as many values as the overload has parameters. */
export type Implementation = (a: CelValue, b: CelValue, c: CelValue, d: CelValue) => CelValue;

/** The cost of one call at run time, from its arguments and its result. */
export type CallCost = (args: readonly CelValue[], result: CelValue) => number;

/** One signature of a function. */
export interface Overload {
  /** As cel-go names it. */
  readonly id: string;
  /** With the value it is called on first, if it is called on one. */
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly isMember: boolean;
  readonly call: Implementation;
  /** What a call costs when types decide for this overload before anything runs. @default 1 */
  readonly cost?: CallCost;
  /** @default 1 */
  readonly estimate?: EstimateCall;
}

/** A function: its overloads in the order in which they are tried. */
export interface FunctionDecl {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** What a call costs, whichever overload it is; it goes before that of an overload. */
  readonly cost?: CallCost;
  readonly estimate?: EstimateCall;
}

type Params<A extends CelValue[]> = { readonly [K in keyof A]: TypeOf<A[K]> };

/** An overload called as `name(a, b)`. */
export function overload<A extends CelValue[]>(
  id: string,
  params: Params<A>,
  result: CelType,
  call: (...args: A) => CelValue,
): Overload {
  // The checker, or `accepts` at run time, has made sure that the values are of the declared types.
  return { id, params, result, isMember: false, call: call as unknown as Implementation };
}

/** An overload called as `a.name(b)`. */
export function member<A extends CelValue[]>(
  id: string,
  params: Params<A>,
  result: CelType,
  call: (...args: A) => CelValue,
): Overload {
  return { ...overload(id, params, result, call), isMember: true };
}

/** Whether an overload takes values of these types, by what can be seen of them at run time. */
export function accepts({ params }: Overload, args: readonly CelValue[]): boolean {
  return params.length === args.length && params.every((param, index) => isA(args[index] as CelValue, param));
}

/** Of a list or a map the first element or entry stands for all, as in cel-go. */
function isA(value: CelValue, type: CelType): boolean {
  if (type.kind === "param" || isDynOrError(type)) return true;
  const actual = typeOf(value);
  if (actual.kind !== type.kind || actual.name !== type.name) return false;
  const [first = type, second = type] = type.params;
  if (value instanceof ListValue) return value.length === 0 || isA(value.at(0), first);
  if (!(value instanceof MapValue) || type.kind !== "map") return true;
  const [key] = value.keys();
  return key === undefined || (isA(key, first) && isA(value.get(key) ?? null, second));
}
