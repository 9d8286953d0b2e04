import { type CallCost, type FunctionDecl, member, type Overload, overload } from "../check/overload.js";
import {
  add,
  type CallEstimate,
  type EstimateCall,
  fixed,
  multiply,
  type Range,
  type SizedNode,
  scale,
  unbounded,
} from "../cost/estimate.js";
import { sortByMacro } from "../syntax/macros.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  paramType,
  stringType,
  timestampType,
  uintType,
} from "../types/cel-type.js";
import { compare, equals } from "../values/equality.js";
import { CostExceeded, EvalFailure } from "../values/eval-failure.js";
import type { IntValue } from "../values/number.js";
import { costSize, stringFactor } from "../values/sizes.js";
import { typeOf } from "../values/type-of.js";
import { type CelValue, elementsOf, ListValue } from "../values/value.js";
import type { Library } from "./library.js";

const t = paramType("T");
const listCost = 10;
const sortable: readonly CelType[] = [
  intType,
  uintType,
  doubleType,
  boolType,
  durationType,
  timestampType,
  stringType,
  bytesType,
];

function slice(list: ListValue, start: IntValue, end: IntValue): ListValue {
  const cannot = `cannot slice(${start}, ${end})`;
  if (start < 0 || end < 0) throw new EvalFailure(`${cannot}, negative indexes not supported`);
  if (start > end) throw new EvalFailure(`${cannot}, start index must be less than or equal to end index`);
  if (end > list.length) throw new EvalFailure(`${cannot}, list is length ${list.length}`);
  return new ListValue(elementsOf(list).slice(Number(start), Number(end)));
}

function flatten(list: ListValue, depth: IntValue): CelValue[] {
  if (depth < 0) throw new EvalFailure("level must be non-negative");
  const flat: CelValue[] = [];
  const add = (from: ListValue, levels: number): void => {
    for (const value of elementsOf(from)) {
      if (value instanceof ListValue && levels > 0) add(value, levels - 1);
      else flat.push(value);
    }
  };
  add(list, Number(depth));
  return flat;
}

function sortBy(list: ListValue, keys: ListValue): ListValue {
  if (list.length !== keys.length) {
    const counts = `${list.length} and ${keys.length} elements respectively`;
    throw new EvalFailure(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${counts}`,
    );
  }
  if (list.length === 0) return list;
  const type = typeOf(keys.at(0));
  if (!sortable.some(({ name }) => name === type.name)) throw new EvalFailure("list elements must be comparable");
  const order = elementsOf(keys).map((key, index) => ({ key, index }));
  order.sort((left, right) => {
    if (typeOf(left.key).name !== type.name || typeOf(right.key).name !== type.name) {
      throw new EvalFailure("list elements must have the same type");
    }
    return compare(left.key, right.key);
  });
  return new ListValue(order.map(({ index }) => list.at(index)));
}

function range(count: IntValue): ListValue {
  // Each element costs 1, and no limit of Kubernetes is as high.
  if (count > 10_000_000) throw new CostExceeded();
  return new ListValue(Array.from({ length: Math.max(Number(count), 0) }, (_, index) => index));
}

function distinct(list: ListValue): ListValue {
  const unique: CelValue[] = [];
  for (const value of elementsOf(list)) if (!unique.some((other) => equals(value, other))) unique.push(value);
  return new ListValue(unique);
}

/** Making a list costs 10, and the call 1. */
function allocation(factor: number, size: number): number {
  return Math.trunc(size * factor) + 1 + listCost;
}

function estimateAllocation(factor: number, size: Range): CallEstimate {
  return { cost: add(scale(size, factor), fixed(1 + listCost)), size };
}

const outputCost: CallCost = (_args, result) => allocation(1, costSize(result));

/** Every element is compared with every other. */
function selfCompareCost(value: CelValue): number {
  const list = value as ListValue;
  const first = list.length > 0 ? list.at(0) : 0;
  const isText = typeof first === "string" || first instanceof Uint8Array;
  return allocation(isText ? 2 + stringFactor : 2, list.length ** 2);
}

function estimateSort(
  node: SizedNode | undefined,
  type: CelType,
  sizeOf: (node: SizedNode) => Range,
): CallEstimate | undefined {
  if (node === undefined) return undefined;
  const size = sizeOf(node);
  const isText = type.kind === "string" || type.kind === "bytes";
  return estimateAllocation(isText ? 2 + stringFactor : 2, multiply(size, size));
}

/** A literal that is no negative number. */
function literalOr(node: SizedNode | undefined, otherwise: number): number {
  const value = node?.literal;
  return typeof value === "number" || typeof value === "bigint" ? Math.max(Number(value), 0) : otherwise;
}

const estimateFlatten: EstimateCall = ({ target, args: [depth], sizeOf }) => {
  if (target === undefined) return undefined;
  return estimateAllocation(depth === undefined ? 1 : literalOr(depth, unbounded), sizeOf(target));
};

const flattenCost: CallCost = ([list, depth]) =>
  allocation(depth === undefined ? 1 : Number(depth), costSize(list as CelValue));

const sorts: Overload[] = sortable.map((type) => ({
  ...member(`list_${type.name}_sort`, [listType(type)], listType(type), (list) => sortBy(list, list)),
  cost: ([list]) => selfCompareCost(list as CelValue),
  estimate: ({ target, sizeOf }) => estimateSort(target, type, sizeOf),
}));

const sortsByKeys: Overload[] = sortable.map((type) => ({
  ...member(`list_${type.name}_sortByAssociatedKeys`, [listType(t), listType(type)], listType(t), sortBy),
  cost: ([, keys]) => selfCompareCost(keys as CelValue),
  estimate: ({ args: [keys], sizeOf }) => estimateSort(keys, type, sizeOf),
}));

const functions: readonly FunctionDecl[] = [
  {
    name: "slice",
    overloads: [
      {
        ...member("list_slice", [listType(t), intType, intType], listType(t), slice),
        cost: outputCost,
        estimate: ({ target, args: [start, end], sizeOf }) => {
          if (target === undefined) return undefined;
          const length = literalOr(end, sizeOf(target).max) - literalOr(start, 0);
          return estimateAllocation(1, fixed(length < 0 ? unbounded : length));
        },
      },
    ],
  },
  {
    name: "flatten",
    overloads: [
      {
        ...member("list_flatten", [listType(listType(t))], listType(t), (list) => new ListValue(flatten(list, 1))),
        cost: flattenCost,
        estimate: estimateFlatten,
      },
      {
        ...member(
          "list_flatten_int",
          [listType(dynType), intType],
          listType(dynType),
          (list, depth) => new ListValue(flatten(list, depth)),
        ),
        cost: flattenCost,
        estimate: estimateFlatten,
      },
    ],
  },
  { name: "sort", overloads: sorts },
  { name: "@sortByAssociatedKeys", overloads: sortsByKeys },
  {
    name: "lists.range",
    overloads: [
      {
        ...overload("lists_range", [intType], listType(intType), range),
        cost: outputCost,
        estimate: ({ args: [count] }) => estimateAllocation(1, fixed(literalOr(count, unbounded))),
      },
    ],
  },
  {
    name: "reverse",
    overloads: [
      {
        ...member("list_reverse", [listType(t)], listType(t), (list) => new ListValue(elementsOf(list).reverse())),
        cost: outputCost,
        estimate: ({ target, sizeOf }) => (target === undefined ? undefined : estimateAllocation(1, sizeOf(target))),
      },
    ],
  },
  {
    name: "distinct",
    overloads: [
      {
        ...member("list_distinct", [listType(t)], listType(t), distinct),
        cost: ([list]) => selfCompareCost(list as CelValue),
        estimate: ({ target, sizeOf }) => {
          if (target === undefined) return undefined;
          const size = sizeOf(target);
          return estimateAllocation(2, multiply(size, size));
        },
      },
    ],
  },
];

/** cel-go's functions of lists, version 3, since 1.34. */
export const extListsLibrary: Library = { name: "extLists", since: 34, functions, macros: [sortByMacro] };
