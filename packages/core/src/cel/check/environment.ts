import type { Macros } from "../syntax/macros.js";
import type { CelType } from "../types/cel-type.js";
import type { FunctionDecl } from "./overload.js";

/** The fields of an object type, by the names that expressions use. */
export interface StructDecl {
  readonly fields: ReadonlyMap<string, CelType>;
}

/** What an expression may refer to. */
export interface Environment {
  readonly variables: ReadonlyMap<string, CelType>;
  /** Names that mean types. */
  readonly types: ReadonlyMap<string, CelType>;
  readonly structs: ReadonlyMap<string, StructDecl>;
  readonly functions: ReadonlyMap<string, FunctionDecl>;
  readonly macros: Macros;
  /** `a.?b` and its kin. */
  readonly optionalSyntax: boolean;
  /** Whether literals are checked before anything runs: durations, timestamps, patterns, one type in each list and map. */
  readonly validatesLiterals: boolean;
}
