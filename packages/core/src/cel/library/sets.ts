import { type CallCost, type FunctionDecl, overload } from "../check/overload.js";
import { add, type EstimateCall, fixed, multiply, scale } from "../cost/estimate.js";
import { boolType, listType, paramType } from "../types/cel-type.js";
import { equals } from "../values/equality.js";
import { costSize } from "../values/sizes.js";
import { type CelValue, elementsOf, type ListValue } from "../values/value.js";
import type { Library } from "./library.js";

const list = listType(paramType("T"));

function holds(given: ListValue, value: CelValue): boolean {
  for (let index = 0; index < given.length; index++) if (equals(given.at(index), value)) return true;
  return false;
}

function containsAll(given: ListValue, part: ListValue): boolean {
  return elementsOf(part).every((value) => holds(given, value));
}

/** Every element is compared with every other, `rounds` times. */
function declare(name: string, rounds: number, call: (left: ListValue, right: ListValue) => boolean): FunctionDecl {
  const cost: CallCost = ([left, right]) => 1 + costSize(left as CelValue) * costSize(right as CelValue) * rounds;
  const estimate: EstimateCall = ({ args: [left, right], sizeOf }) => {
    if (left === undefined || right === undefined) return undefined;
    return { cost: add(scale(multiply(sizeOf(left), sizeOf(right)), rounds), fixed(1)) };
  };
  const id = `list_sets_${name}_list`;
  return { name: `sets.${name}`, overloads: [{ ...overload(id, [list, list], boolType, call), cost, estimate }] };
}

/** Lists as sets, since 1.29. */
export const setsLibrary: Library = {
  name: "sets",
  since: 29,
  functions: [
    declare("contains", 1, containsAll),
    declare("equivalent", 2, (left, right) => containsAll(left, right) && containsAll(right, left)),
    declare("intersects", 1, (left, right) => elementsOf(left).some((value) => holds(right, value))),
  ],
};
