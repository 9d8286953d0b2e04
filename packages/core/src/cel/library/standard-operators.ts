import { type FunctionDecl, type Implementation, type Overload, overload } from "../check/overload.js";
import { add, type CallEstimate, type CallSizes, fixed, type SizedNode, scale } from "../cost/estimate.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  optionalType,
  paramType,
  stringType,
  timestampType,
  uintType,
} from "../types/cel-type.js";
import { equals } from "../values/equality.js";
import { noSuchOverload } from "../values/eval-failure.js";
import { costSize, stringFactor, traversal } from "../values/sizes.js";
import { type CelValue, MapValue } from "../values/value.js";

const a = paramType("A");
const b = paramType("B");

/** The evaluator has steps of its own for operators: these declare their types and costs only. */
const builtIn: Implementation = () => {
  throw noSuchOverload();
};

function declare(id: string, params: readonly CelType[], result: CelType): Overload {
  return { id, params, result, isMember: false, call: builtIn };
}

const names: ReadonlyMap<CelType, string> = new Map<CelType, string>([
  [intType, "int64"],
  [uintType, "uint64"],
  [doubleType, "double"],
  [stringType, "string"],
  [bytesType, "bytes"],
  [boolType, "bool"],
  [timestampType, "timestamp"],
  [durationType, "duration"],
]);

function sizesOf([left, right]: readonly CelValue[]): readonly [number, number] {
  return [costSize(left as CelValue), costSize(right as CelValue)];
}

function pair({ args: [left, right], sizeOf }: CallSizes): readonly [SizedNode, SizedNode, typeof sizeOf] | undefined {
  return left === undefined || right === undefined ? undefined : [left, right, sizeOf];
}

/** A comparison walks over the shorter operand. */
function comparisonCost(values: readonly CelValue[]): number {
  const [left, right] = values;
  if (typeof left === "string" && typeof right === "string") {
    // Counting the code points of a long string takes time, and it is not the shorter one if it has more than twice as many units.
    if (left.length * 2 < right.length) return traversal(left);
    if (right.length * 2 < left.length) return traversal(right);
  }
  return Math.ceil(Math.min(...sizesOf(values)) * stringFactor);
}

function estimateComparison(call: CallSizes): CallEstimate | undefined {
  const operands = pair(call);
  if (operands === undefined) return undefined;
  const max = Math.min(call.sizeOf(operands[0]).max, call.sizeOf(operands[1]).max);
  return { cost: scale({ min: max > 0 ? 1 : 0, max }, stringFactor) };
}

function concatenation(type: CelType): Overload {
  return {
    ...declare(type === stringType ? "add_string" : "add_bytes", [type, type], type),
    cost: (values) => {
      const [left, right] = sizesOf(values);
      return Math.ceil((left + right) * stringFactor);
    },
    estimate: (call) => {
      const operands = pair(call);
      if (operands === undefined) return undefined;
      const size = add(call.sizeOf(operands[0]), call.sizeOf(operands[1]));
      return { cost: scale(size, stringFactor), size };
    },
  };
}

const addList: Overload = {
  ...declare("add_list", [listType(a), listType(a)], listType(a)),
  estimate: (call) => {
    const operands = pair(call);
    if (operands === undefined) return undefined;
    return { cost: fixed(1), size: add(call.sizeOf(operands[0]), call.sizeOf(operands[1])) };
  },
};

function arithmetic(verb: string, types: readonly CelType[]): Overload[] {
  return types.map((type) => declare(`${verb}_${names.get(type)}`, [type, type], type));
}

/** `<` and its kin. Numbers of different types compare when `crossType` is set. */
function comparison(name: string, verb: string, crossType: boolean): FunctionDecl {
  const numbers = [intType, uintType, doubleType];
  const same = (type: CelType): Overload => {
    const declared = declare(`${verb}_${names.get(type)}`, [type, type], boolType);
    const walks = type === stringType || type === bytesType;
    return walks ? { ...declared, cost: comparisonCost, estimate: estimateComparison } : declared;
  };
  const overloads = [same(boolType)];
  for (const left of numbers) {
    overloads.push(same(left));
    for (const right of crossType ? numbers.filter((type) => type !== left) : []) {
      overloads.push(declare(`${verb}_${names.get(left)}_${names.get(right)}`, [left, right], boolType));
    }
  }
  return { name, overloads: [...overloads, ...[stringType, bytesType, timestampType, durationType].map(same)] };
}

function equality(name: string, id: string): FunctionDecl {
  return { name, overloads: [{ ...declare(id, [a, a], boolType), estimate: estimateComparison }] };
}

const inList: Overload = {
  ...overload("in_list", [a, listType(a)], boolType, (value, list) => {
    for (let index = 0; index < list.length; index++) if (equals(list.at(index), value)) return true;
    return false;
  }),
  cost: ([, list]) => costSize(list as CelValue),
  estimate: (call) => {
    const operands = pair(call);
    return operands === undefined ? undefined : { cost: call.sizeOf(operands[1]) };
  },
};

/** The operators of the language. */
export function operators(crossTypeComparisons: boolean, optionals: boolean): FunctionDecl[] {
  const indexOptional = [
    declare("optional_list_index_int", [optionalType(listType(a)), intType], optionalType(a)),
    declare("optional_map_index_value", [optionalType(mapType(a, b)), a], optionalType(b)),
  ];
  return [
    { name: "_?_:_", overloads: [declare("conditional", [boolType, a, a], a)] },
    { name: "_&&_", overloads: [declare("logical_and", [boolType, boolType], boolType)] },
    { name: "_||_", overloads: [declare("logical_or", [boolType, boolType], boolType)] },
    { name: "!_", overloads: [declare("logical_not", [boolType], boolType)] },
    { name: "@not_strictly_false", overloads: [declare("not_strictly_false", [boolType], boolType)] },
    equality("_==_", "equals"),
    equality("_!=_", "not_equals"),
    {
      name: "_+_",
      overloads: [
        concatenation(bytesType),
        ...arithmetic("add", [doubleType]),
        declare("add_duration_duration", [durationType, durationType], durationType),
        declare("add_duration_timestamp", [durationType, timestampType], timestampType),
        declare("add_timestamp_duration", [timestampType, durationType], timestampType),
        ...arithmetic("add", [intType]),
        addList,
        concatenation(stringType),
        ...arithmetic("add", [uintType]),
      ],
    },
    {
      name: "_-_",
      overloads: [
        ...arithmetic("subtract", [doubleType]),
        declare("subtract_duration_duration", [durationType, durationType], durationType),
        ...arithmetic("subtract", [intType]),
        declare("subtract_timestamp_duration", [timestampType, durationType], timestampType),
        declare("subtract_timestamp_timestamp", [timestampType, timestampType], durationType),
        ...arithmetic("subtract", [uintType]),
      ],
    },
    { name: "_*_", overloads: arithmetic("multiply", [doubleType, intType, uintType]) },
    { name: "_/_", overloads: arithmetic("divide", [doubleType, intType, uintType]) },
    { name: "_%_", overloads: arithmetic("modulo", [intType, uintType]) },
    {
      name: "-_",
      overloads: [declare("negate_double", [doubleType], doubleType), declare("negate_int64", [intType], intType)],
    },
    comparison("_<_", "less", crossTypeComparisons),
    comparison("_<=_", "less_equals", crossTypeComparisons),
    comparison("_>_", "greater", crossTypeComparisons),
    comparison("_>=_", "greater_equals", crossTypeComparisons),
    {
      name: "_[_]",
      overloads: [
        declare("index_list", [listType(a), intType], a),
        declare("index_map", [mapType(a, b), a], b),
        ...(optionals ? indexOptional : []),
      ],
    },
    {
      name: "@in",
      overloads: [
        inList,
        overload("in_map", [a, mapType(a, b)], boolType, (key, map: CelValue) => {
          if (map instanceof MapValue) return map.get(key) !== undefined;
          throw noSuchOverload();
        }),
      ],
    },
  ];
}
