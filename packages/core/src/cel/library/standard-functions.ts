import { type FunctionDecl, member, overload } from "../check/overload.js";
import { add, fixed, multiply, scale } from "../cost/estimate.js";
import { countCodePoints } from "../syntax/source.js";
import { boolType, bytesType, intType, listType, mapType, paramType, stringType } from "../types/cel-type.js";
import { costSize, patternFactor, stringFactor, traversal } from "../values/sizes.js";
import type { CelValue } from "../values/value.js";
import { matches, pattern } from "./patterns.js";

const a = paramType("A");
const b = paramType("B");

/** What matching a pattern costs: the string's length and one, times the pattern's length. */
export function matchCost([text, source]: readonly CelValue[]): number {
  const walk = Math.ceil((1 + costSize(text as CelValue)) * stringFactor);
  return walk * Math.ceil(costSize(source as CelValue) * patternFactor);
}

function affix(name: "startsWith" | "endsWith", id: string): FunctionDecl {
  return {
    name,
    overloads: [
      {
        ...member(id, [stringType, stringType], boolType, (text, part) => text[name](part)),
        cost: ([text]) => traversal(text as CelValue),
        estimate: ({ args: [part], sizeOf }) =>
          part === undefined ? undefined : { cost: scale(sizeOf(part), stringFactor) },
      },
    ],
  };
}

/** The functions of the language that convert nothing and tell no time. */
export const standardFunctions: readonly FunctionDecl[] = [
  {
    name: "size",
    overloads: [
      overload("size_bytes", [bytesType], intType, (bytes) => bytes.length),
      member("bytes_size", [bytesType], intType, (bytes) => bytes.length),
      overload("size_list", [listType(a)], intType, (list) => list.length),
      member("list_size", [listType(a)], intType, (list) => list.length),
      overload("size_map", [mapType(a, b)], intType, (map) => map.size),
      member("map_size", [mapType(a, b)], intType, (map) => map.size),
      overload("size_string", [stringType], intType, countCodePoints),
      member("string_size", [stringType], intType, countCodePoints),
    ],
  },
  {
    name: "contains",
    overloads: [
      {
        ...member("contains_string", [stringType, stringType], boolType, (text, part) => text.includes(part)),
        cost: ([text, part]) => traversal(text as CelValue) * traversal(part as CelValue),
        estimate: ({ target, args: [part], sizeOf }) => {
          if (target === undefined || part === undefined) return undefined;
          return { cost: multiply(scale(sizeOf(target), stringFactor), scale(sizeOf(part), stringFactor)) };
        },
      },
    ],
  },
  affix("endsWith", "ends_with_string"),
  affix("startsWith", "starts_with_string"),
  {
    name: "matches",
    overloads: [
      overload("matches", [stringType, stringType], boolType, (text, source) => matches(pattern(source), text)),
      {
        ...member("matches_string", [stringType, stringType], boolType, (text, source) =>
          matches(pattern(source), text),
        ),
        cost: matchCost,
        estimate: ({ target, args: [source], sizeOf }) => {
          if (target === undefined || source === undefined) return undefined;
          const walk = scale(add(sizeOf(target), fixed(1)), stringFactor);
          return { cost: multiply(walk, scale(sizeOf(source), patternFactor)) };
        },
      },
    ],
  },
];
