import { type FunctionDecl, type Implementation, member, type Overload, overload } from "../check/overload.js";
import {
  boolType,
  type CelType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  paramType,
  stringType,
} from "../types/cel-type.js";
import { EvalFailure, noSuchOverload } from "../values/eval-failure.js";
import {
  type CelValue,
  DoubleValue,
  DurationValue,
  elementsOf,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  TimestampValue,
  UintValue,
} from "../values/value.js";

const k = paramType("K");
const v = paramType("V");

/** The planner evaluates these itself, because they do not evaluate all their operands. */
const planned: Implementation = () => {
  throw noSuchOverload();
};

function declare(id: string, params: readonly CelType[], result: CelType): Overload {
  return { id, params, result, isMember: false, call: planned };
}

function isZero(value: CelValue): boolean {
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof MapValue) return value.size === 0;
  if (value instanceof DoubleValue) return value.value === 0;
  if (value instanceof UintValue) return value.value === 0n;
  if (value instanceof DurationValue) return value.nanos === 0n;
  if (value instanceof TimestampValue) return value.seconds === -62_135_596_800 && value.nanos === 0;
  if (value instanceof OptionalValue) return value.value === undefined || isZero(value.value);
  return !(value instanceof OpaqueValue) && (value === null || value === false || value === 0 || value === "");
}

function unwrap(list: ListValue): ListValue {
  const values = elementsOf(list).map((value) => {
    if (value instanceof OptionalValue) return value.value;
    throw new EvalFailure("value is not optional");
  });
  return new ListValue(values.filter((value) => value !== undefined));
}

function edge(name: "first" | "last"): FunctionDecl {
  const call = (list: ListValue): OptionalValue => {
    if (list.length === 0) return OptionalValue.none;
    return new OptionalValue(list.at(name === "first" ? 0 : list.length - 1));
  };
  return { name, overloads: [member(`list_${name}`, [listType(v)], optionalType(v), call)] };
}

/** Optional values, since Kubernetes 1.28. */
export const optionalFunctions: readonly FunctionDecl[] = [
  {
    name: "optional.of",
    overloads: [overload("optional_of", [v], optionalType(v), (value) => new OptionalValue(value))],
  },
  {
    name: "optional.ofNonZeroValue",
    overloads: [
      overload("optional_ofNonZeroValue", [v], optionalType(v), (value) =>
        isZero(value) ? OptionalValue.none : new OptionalValue(value),
      ),
    ],
  },
  { name: "optional.none", overloads: [overload("optional_none", [], optionalType(v), () => OptionalValue.none)] },
  {
    name: "value",
    overloads: [
      member("optional_value", [optionalType(v)], v, ({ value }) => {
        if (value === undefined) throw new EvalFailure("optional.none() dereference");
        return value;
      }),
    ],
  },
  {
    name: "hasValue",
    overloads: [member("optional_hasValue", [optionalType(v)], boolType, ({ value }) => value !== undefined)],
  },
  {
    name: "or",
    overloads: [
      { ...declare("optional_or_optional", [optionalType(v), optionalType(v)], optionalType(v)), isMember: true },
    ],
  },
  {
    name: "orValue",
    overloads: [{ ...declare("optional_orValue_value", [optionalType(v), v], v), isMember: true }],
  },
  { name: "_?._", overloads: [declare("select_optional_field", [dynType, stringType], optionalType(v))] },
  {
    name: "_[?_]",
    overloads: [
      declare("list_optindex_optional_int", [listType(v), intType], optionalType(v)),
      declare("optional_list_optindex_optional_int", [optionalType(listType(v)), intType], optionalType(v)),
      declare("map_optindex_optional_value", [mapType(k, v), k], optionalType(v)),
      declare("optional_map_optindex_optional_value", [optionalType(mapType(k, v)), k], optionalType(v)),
    ],
  },
  edge("last"),
  edge("first"),
  {
    name: "optional.unwrap",
    overloads: [overload("optional_unwrap", [listType(optionalType(v))], listType(v), unwrap)],
  },
  { name: "unwrapOpt", overloads: [member("optional_unwrapOpt", [listType(optionalType(v))], listType(v), unwrap)] },
];
