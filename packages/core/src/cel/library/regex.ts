import { type FunctionDecl, member } from "../check/overload.js";
import { add, type EstimateCall, fixed, multiply, scale } from "../cost/estimate.js";
import { intType, listType, stringType } from "../types/cel-type.js";
import type { IntValue } from "../values/number.js";
import { patternFactor, stringFactor } from "../values/sizes.js";
import { ListValue } from "../values/value.js";
import type { Library } from "./library.js";
import { findAll as findMatches, pattern } from "./patterns.js";
import { matchCost } from "./standard-functions.js";

const illegal = "Illegal regex: ";

function findAll(text: string, source: string, limit: IntValue): ListValue {
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  return new ListValue(findMatches(pattern(source, illegal), text, most));
}

const estimate: EstimateCall = ({ target, args: [source], sizeOf }) => {
  if (target === undefined || source === undefined) return undefined;
  const text = sizeOf(target);
  const walk = scale(add(text, fixed(1)), stringFactor);
  return { cost: multiply(walk, scale(sizeOf(source), patternFactor)), size: { min: 0, max: text.max } };
};

const functions: readonly FunctionDecl[] = [
  {
    name: "find",
    overloads: [
      member(
        "string_find_string",
        [stringType, stringType],
        stringType,
        (text, source) => findMatches(pattern(source, illegal), text, 1)[0] ?? "",
      ),
    ],
    cost: matchCost,
    estimate,
  },
  {
    name: "findAll",
    overloads: [
      member("string_find_all_string", [stringType, stringType], listType(stringType), (text, source) =>
        findAll(text, source, -1),
      ),
      member("string_find_all_string_int", [stringType, stringType, intType], listType(stringType), findAll),
    ],
    cost: matchCost,
    estimate,
  },
];

/** What a pattern of RE2 matches. */
export const regexLibrary: Library = { name: "regex", since: 0, functions };
