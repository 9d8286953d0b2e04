import { type CallCost, type FunctionDecl, member, type Overload } from "../check/overload.js";
import { add, type EstimateCall, fixed, multiply, scale } from "../cost/estimate.js";
import { binaryOperators } from "../evaluate/operators.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listType,
  paramType,
  stringType,
  type TypeOf,
  timestampType,
  uintType,
} from "../types/cel-type.js";
import { compare, equals } from "../values/equality.js";
import { EvalFailure } from "../values/eval-failure.js";
import { double } from "../values/number.js";
import { stringFactor } from "../values/sizes.js";
import { duration } from "../values/time.js";
import { type CelValue, elementsOf, ListValue, MapValue, UintValue } from "../values/value.js";
import type { Library } from "./library.js";
import { itemsOf } from "./list-cost.js";

const a = paramType("A");

/** The names of types in the ids of overloads. */
const comparable: readonly (readonly [string, CelType])[] = [
  ["int", intType],
  ["uint", uintType],
  ["double", doubleType],
  ["bool", boolType],
  ["duration", durationType],
  ["timestamp", timestampType],
  ["string", stringType],
  ["bytes", bytesType],
];

const zeros: readonly (readonly [string, CelType, CelValue])[] = [
  ["int", intType, 0],
  ["uint", uintType, new UintValue(0n)],
  ["double", doubleType, double(0)],
  ["duration", durationType, duration(0n)],
];

function isSorted(list: ListValue): boolean {
  for (let index = 1; index < list.length; index++) if (compare(list.at(index - 1), list.at(index)) > 0) return false;
  return true;
}

function sum(list: ListValue, zero: CelValue): CelValue {
  const plus = binaryOperators["_+_"];
  return elementsOf(list).reduce((total, value) => plus?.(total, value) ?? total, zero);
}

function extreme(name: "max" | "min", list: ListValue): CelValue {
  const [first, ...rest] = elementsOf(list);
  if (first === undefined) throw new EvalFailure(`${name} called on empty list`);
  const sign = name === "max" ? -1 : 1;
  return rest.reduce((best, value) => (compare(best, value) === sign ? value : best), first);
}

function indexOf(list: ListValue, value: CelValue): number {
  for (let index = 0; index < list.length; index++) if (equals(list.at(index), value)) return index;
  return -1;
}

function lastIndexOf(list: ListValue, value: CelValue): number {
  for (let index = list.length - 1; index >= 0; index--) if (equals(list.at(index), value)) return index;
  return -1;
}

/** The cost of walking over all that a value holds. */
function deepTraversal(value: CelValue): number {
  if (typeof value === "string") return Math.trunc(Buffer.byteLength(value) * stringFactor);
  if (value instanceof Uint8Array) return Math.trunc(value.length * stringFactor);
  if (value instanceof ListValue)
    return elementsOf(value).reduce<number>((total, one) => total + deepTraversal(one), 0);
  if (!(value instanceof MapValue)) return 1;
  return value
    .keys()
    .reduce<number>((total, key) => total + deepTraversal(key) + deepTraversal(value.get(key) ?? null), 0);
}

const walkCost: CallCost = ([list]) => deepTraversal(list as CelValue);

const estimateWalk: EstimateCall = ({ target, sizeOf }) => {
  if (target === undefined) return undefined;
  const items = itemsOf(target);
  if (items === undefined) return { cost: scale(sizeOf(target), stringFactor) };
  const isText = items.type.kind === "string" || items.type.kind === "bytes";
  const each = isText ? add(fixed(1), scale(sizeOf(items), stringFactor)) : fixed(1);
  return { cost: multiply(sizeOf(target), each) };
};

function declare(name: string, overloads: readonly Overload[]): FunctionDecl {
  return { name, overloads, cost: walkCost, estimate: estimateWalk };
}

function ofElements(type: CelType): TypeOf<ListValue> {
  return listType(type);
}

/** Kubernetes' own functions of lists. */
export const listsLibrary: Library = {
  name: "lists",
  since: 0,
  functions: [
    declare(
      "isSorted",
      comparable.map(([name, type]) => member(`list_${name}_is_sorted_bool`, [ofElements(type)], boolType, isSorted)),
    ),
    declare(
      "sum",
      zeros.map(([name, type, zero]) =>
        member(`list_${name}_sum_${name}`, [ofElements(type)], type, (list) => sum(list, zero)),
      ),
    ),
    ...(["max", "min"] as const).map((name) =>
      declare(
        name,
        comparable.map(([typeName, type]) =>
          member(`list_${typeName}_${name}_${typeName}`, [ofElements(type)], type, (list) => extreme(name, list)),
        ),
      ),
    ),
    declare("indexOf", [member("list_a_index_of_int", [listType(a), a], intType, indexOf)]),
    declare("lastIndexOf", [member("list_a_last_index_of_int", [listType(a), a], intType, lastIndexOf)]),
  ],
};
