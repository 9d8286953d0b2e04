import { type CallCost, type FunctionDecl, member, overload } from "../check/overload.js";
import { add, type EstimateCall, fixed, multiply, type Range, scale, unbounded } from "../cost/estimate.js";
import { dynType, intType, listType, stringType } from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import type { IntValue } from "../values/number.js";
import { costSize, stringFactor, traversal } from "../values/sizes.js";
import { type CelValue, elementsOf, ListValue } from "../values/value.js";
import { formatString } from "./format-string.js";
import type { Library } from "./library.js";
import { itemsOf } from "./list-cost.js";

function outOfRange(index: IntValue): EvalFailure {
  return new EvalFailure(`index out of range: ${index}`);
}

/** Where a string holds another one, counted in code points, from `offset` on. */
function indexOf(text: string, part: string, offset: IntValue): IntValue {
  if (part === "") return offset;
  if (offset < 0) throw outOfRange(offset);
  const characters = [...text];
  if (offset >= characters.length) return -1;
  const skipped = characters.slice(0, Number(offset)).join("").length;
  const at = text.indexOf(part, skipped);
  return at < 0 ? -1 : [...text.slice(0, at)].length;
}

function lastIndexOf(text: string, part: string, offset?: IntValue): IntValue {
  const characters = [...text];
  if (part === "") return offset ?? characters.length;
  if (offset === undefined && text.length < part.length) return -1;
  const from = offset ?? characters.length - 1;
  if (from < 0) throw outOfRange(from);
  if (from >= characters.length) return -1;
  const start = Math.min(Number(from), characters.length - [...part].length);
  if (start < 0) return -1;
  const at = text.lastIndexOf(part, characters.slice(0, start).join("").length);
  return at < 0 ? -1 : [...text.slice(0, at)].length;
}

function substring(text: string, start: IntValue, end: IntValue | undefined): string {
  const characters = [...text];
  const stop = end ?? characters.length;
  if (end !== undefined && start > end) {
    throw new EvalFailure(`invalid substring range. start: ${start}, end: ${end}`);
  }
  for (const index of [start, stop]) if (index < 0 || index > characters.length) throw outOfRange(index);
  return characters.slice(Number(start), Number(stop)).join("");
}

/** `count` below zero means all. */
function replace(text: string, old: string, by: string, count: IntValue): string {
  const limit = count < 0 ? Number.POSITIVE_INFINITY : Number(count);
  const parts = old === "" ? ["", ...text] : text.split(old);
  if (old === "") parts.push("");
  const replaced = Math.min(limit, parts.length - 1);
  return (
    parts.slice(0, replaced + 1).join(by) +
    parts
      .slice(replaced + 1)
      .map((part) => old + part)
      .join("")
  );
}

function split(text: string, separator: string, count: IntValue): ListValue {
  if (count === 0) return new ListValue([]);
  const parts = separator === "" ? [...text] : text.split(separator);
  if (count < 0 || parts.length <= count) return new ListValue(parts);
  const kept = Number(count) - 1;
  return new ListValue([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
}

function join(list: ListValue, separator: string): string {
  const parts = elementsOf(list).map((element) => {
    if (typeof element === "string") return element;
    throw new EvalFailure(`join: invalid input: ${String(element)}`);
  });
  return parts.join(separator);
}

/** White space as Go sees it. */
function trim(text: string): string {
  const isSpace = (index: number): boolean => /[^\S\ufeff]|\u0085/.test(text.charAt(index));
  let [start, end] = [0, text.length];
  while (start < end && isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return text.slice(start, end);
}

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, "\ufffd");
  return `"${whole.replace(/[\p{Cc}"\\]/gu, (character) => escapes[character] ?? character)}"`;
}

const walkCost: CallCost = ([text]) => traversal(text as CelValue);
const twiceCost: CallCost = ([text]) => Math.ceil(costSize(text as CelValue) * 2 * stringFactor);

const estimateWalk: EstimateCall = ({ target, sizeOf }) => {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  return { cost: scale(size, stringFactor), size };
};

const estimateReplace: EstimateCall = ({ target, args: [old, by], sizeOf }) => {
  if (target === undefined || old === undefined || by === undefined) return undefined;
  const [text, oldSize, bySize] = [sizeOf(target), sizeOf(old), sizeOf(by)];
  const most = replacements(text.max, oldSize.min, bySize.max <= oldSize.min);
  const least = replacements(text.min, oldSize.max, oldSize.max <= bySize.min);
  const count: Range = { min: least.count, max: most.count };
  const size = add(multiply(count, bySize), { min: least.kept, max: most.kept });
  return { cost: scale(text, 2 * stringFactor), size };
};

/** How often a part of a length can be replaced, and how much of the string is left beside. */
function replacements(
  text: number,
  old: number,
  isSettled: boolean,
): { readonly count: number; readonly kept: number } {
  if (old === 0) return { count: Math.min(text + 1, unbounded), kept: text };
  return isSettled ? { count: 0, kept: text } : { count: Math.ceil(text / old), kept: 0 };
}

const estimateSplit: EstimateCall = ({ target, args: [, count], sizeOf }) => {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const max = typeof count?.literal === "number" ? count.literal : size.max;
  return { cost: scale(size, 2 * stringFactor), size: { min: 0, max: max < 0 ? unbounded : max } };
};

const estimateJoin: EstimateCall = ({ target, args: [separator], sizeOf }) => {
  if (target === undefined) return undefined;
  const length = sizeOf(target);
  const items = itemsOf(target);
  let size = items === undefined ? fixed(0) : multiply(length, sizeOf(items));
  if (separator !== undefined) {
    const gaps = { min: Math.max(length.min - 1, 0), max: Math.max(length.max - 1, 0) };
    size = add(size, multiply(sizeOf(separator), gaps));
  }
  return { cost: scale(size, stringFactor), size };
};

function functions(version: 0 | 2): FunctionDecl[] {
  const later: FunctionDecl[] = [
    {
      name: "format",
      overloads: [
        {
          ...member("string_format", [stringType, listType(dynType)], stringType, formatString),
          cost: walkCost,
          estimate: ({ target, sizeOf }) =>
            target === undefined ? undefined : { cost: scale(sizeOf(target), stringFactor) },
        },
      ],
    },
    {
      name: "strings.quote",
      overloads: [
        {
          ...overload("strings_quote", [stringType], stringType, quote),
          cost: walkCost,
          estimate: ({ args: [arg], sizeOf }) => {
            if (arg === undefined) return undefined;
            const size = sizeOf(arg);
            return { cost: scale(size, stringFactor), size: add({ min: size.min, max: size.max * 2 }, fixed(2)) };
          },
        },
      ],
    },
  ];
  return [
    {
      name: "charAt",
      overloads: [
        member("string_char_at_int", [stringType, intType], stringType, (given, index) => {
          const characters = [...given];
          if (index < 0 || index > characters.length) throw outOfRange(index);
          return characters[Number(index)] ?? "";
        }),
      ],
    },
    {
      name: "indexOf",
      overloads: [
        member("string_index_of_string", [stringType, stringType], intType, (given, part) => indexOf(given, part, 0)),
        member("string_index_of_string_int", [stringType, stringType, intType], intType, indexOf),
      ],
    },
    {
      name: "lastIndexOf",
      overloads: [
        member("string_last_index_of_string", [stringType, stringType], intType, (given, part) =>
          lastIndexOf(given, part),
        ),
        member("string_last_index_of_string_int", [stringType, stringType, intType], intType, (given, part, offset) =>
          lastIndexOf(given, part, offset),
        ),
      ],
    },
    ...(["lowerAscii", "upperAscii"] as const).map((name): FunctionDecl => {
      const convert = (given: string): string =>
        name === "lowerAscii"
          ? given.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
          : given.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
      const id = name === "lowerAscii" ? "string_lower_ascii" : "string_upper_ascii";
      return {
        name,
        overloads: [member(id, [stringType], stringType, convert)],
        cost: walkCost,
        estimate: estimateWalk,
      };
    }),
    {
      name: "replace",
      overloads: [
        member("string_replace_string_string", [stringType, stringType, stringType], stringType, (given, old, by) =>
          replace(given, old, by, -1),
        ),
        member("string_replace_string_string_int", [stringType, stringType, stringType, intType], stringType, replace),
      ],
      cost: twiceCost,
      estimate: estimateReplace,
    },
    {
      name: "split",
      overloads: [
        member("string_split_string", [stringType, stringType], listType(stringType), (given, separator) =>
          split(given, separator, -1),
        ),
        member("string_split_string_int", [stringType, stringType, intType], listType(stringType), split),
      ],
      cost: twiceCost,
      estimate: estimateSplit,
    },
    {
      name: "substring",
      overloads: [
        member("string_substring_int", [stringType, intType], stringType, (given, start) =>
          substring(given, start, undefined),
        ),
        member("string_substring_int_int", [stringType, intType, intType], stringType, (given, start, end) =>
          substring(given, start, end),
        ),
      ],
      cost: walkCost,
      estimate: estimateWalk,
    },
    {
      name: "trim",
      overloads: [member("string_trim", [stringType], stringType, trim)],
      cost: walkCost,
      estimate: estimateWalk,
    },
    {
      name: "join",
      overloads: [
        member("list_join", [listType(stringType)], stringType, (list) => join(list, "")),
        member("list_join_string", [listType(stringType), stringType], stringType, join),
      ],
      cost: (_args, result) => Math.ceil(costSize(result) * 2 * stringFactor),
      estimate: estimateJoin,
    },
    ...(version === 2 ? later : []),
  ];
}

/** cel-go's strings: version 0 first, version 2 with `format` and `strings.quote` since 1.29. */
export const stringLibraries: readonly Library[] = [
  { name: "strings", since: 0, until: 29, functions: functions(0) },
  { name: "strings", since: 29, functions: functions(2) },
];
