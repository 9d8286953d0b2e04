import type { FunctionDecl } from "../check/overload.js";
import type { Macro } from "../syntax/macros.js";
import type { CelType } from "../types/cel-type.js";

/** Functions, macros and types that come together. */
export interface Library {
  readonly name: string;
  /** The first minor version of Kubernetes that has it. */
  readonly since: number;
  /** The first minor version that has it no more, because another one takes its place. @default none */
  readonly until?: number;
  /** Whether only certain uses have it. @default false */
  readonly isExtra?: boolean;
  readonly functions: readonly FunctionDecl[];
  readonly macros?: readonly Macro[];
  /** Types whose names expressions may use. */
  readonly types?: readonly CelType[];
}
