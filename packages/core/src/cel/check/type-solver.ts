import { assign, type Substitutions, substitute } from "../types/assignable.js";
import { type CelType, paramType } from "../types/cel-type.js";
import type { Overload } from "./overload.js";

/** Finds out what type parameters stand for, one assignment after the other. */
export class TypeSolver {
  #known: Substitutions = new Map();
  #fresh = 0;

  /** Whether each second type may be used as the first; if so, what that says of parameters is kept. */
  assign(pairs: readonly (readonly [CelType, CelType])[]): boolean {
    const known = assign(this.#known, pairs);
    if (known === undefined) return false;
    this.#known = known;
    return true;
  }

  isAssignable(to: CelType, from: CelType): boolean {
    return this.assign([[to, from]]);
  }

  /** The type with what is known of its parameters. Others become dyn when `toDyn` is set. */
  substitute(type: CelType, toDyn: boolean): CelType {
    return substitute(this.#known, type, toDyn);
  }

  newParam(): CelType {
    return paramType(`_var${this.#fresh++}`);
  }

  /** The parameters and the result of an overload, with type parameters of their own for one call. */
  instantiate({ params, result }: Overload): readonly [readonly CelType[], CelType] {
    const fresh = new Map<string, CelType>();
    const rename = (type: CelType): CelType => {
      if (type.kind === "param") {
        const known = fresh.get(type.name) ?? this.newParam();
        fresh.set(type.name, known);
        return known;
      }
      return type.params.length === 0 ? type : { ...type, params: type.params.map(rename) };
    };
    return [params.map(rename), rename(result)];
  }
}
