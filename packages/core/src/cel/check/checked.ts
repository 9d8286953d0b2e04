import type { Expr } from "../syntax/expr.js";
import type { CelType } from "../types/cel-type.js";
import type { Overload } from "./overload.js";

/** A variable of the environment or of a comprehension. Two variables of one name are two objects. */
export interface Variable {
  readonly name: string;
  readonly type: CelType;
  /** Whether the environment declares it. */
  readonly isGlobal: boolean;
}

/** What a name or call refers to. */
export type Reference =
  | { readonly kind: "variable"; readonly variable: Variable }
  | { readonly kind: "type"; readonly type: CelType }
  | {
      readonly kind: "function";
      readonly name: string;
      /** Those that fit; several where types are known at run time only. */
      readonly overloads: readonly Overload[];
      /** Whether the target of the call is a part of the function's name. */
      readonly qualified: boolean;
    };

/** An expression whose types are known. */
export interface Checked {
  readonly expr: Expr;
  typeOf(expr: Expr): CelType;
  /** Undefined for selections and literals. */
  referenceOf(expr: Expr): Reference | undefined;
  /** The variables of a comprehension. */
  scopeOf(expr: Expr): LoopVariables | undefined;
}

export interface LoopVariables {
  readonly accu: Variable;
  readonly iter: Variable;
  readonly iter2: Variable | undefined;
}
