import type { FunctionDecl, Implementation, Overload } from "../check/overload.js";
import { twoVariableMacros } from "../syntax/macros.js";
import { type CelType, mapType, paramType } from "../types/cel-type.js";
import { noSuchOverload } from "../values/eval-failure.js";
import type { Library } from "./library.js";

const k = paramType("K");
const v = paramType("V");
const map = mapType(k, v);

/** The planner builds maps in a loop of its own. */
const planned: Implementation = () => {
  throw noSuchOverload();
};

function declare(id: string, params: readonly CelType[]): Overload {
  return { id, params, result: map, isMember: false, call: planned };
}

const mapInsert: FunctionDecl = {
  name: "cel.@mapInsert",
  overloads: [declare("@mapInsert_map_key_value", [map, k, v]), declare("@mapInsert_map_map", [map, map])],
};

/** Comprehensions with two variables, since 1.32. */
export const twoVariableLibrary: Library = {
  name: "twoVariableComprehensions",
  since: 32,
  functions: [mapInsert],
  macros: twoVariableMacros,
};
