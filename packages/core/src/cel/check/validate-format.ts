import { clauseProblems, replaceClauses } from "../library/format-string.js";
import type { CallExpr, Expr } from "../syntax/expr.js";
import type { CelType, TypeKind } from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import type { Checked } from "./checked.js";

const takes: Readonly<Record<string, readonly TypeKind[]>> = {
  b: ["int", "uint", "bool"],
  d: ["int", "uint"],
  e: ["double", "string"],
  f: ["double", "string"],
  o: ["int", "uint"],
  s: ["list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type", "null"],
  x: ["int", "uint", "string", "bytes"],
};

/** Checks a literal format against the types of a literal list of arguments. */
export function validateFormat(
  expr: CallExpr,
  checked: Checked,
  report: (offset: number, message: string) => void,
): void {
  const [list] = expr.args;
  if (expr.target?.kind !== "literal" || typeof expr.target.value !== "string" || list?.kind !== "list") return;
  let seen = 0;
  let place = expr.offset;
  try {
    replaceClauses(expr.target.value, list.elements.length, ({ verb, index }) => {
      seen++;
      const wrong = mismatch(verb.toLowerCase(), list.elements[index] as Expr, checked);
      if (wrong === undefined) return "";
      place = wrong.offset;
      const problem = clauseProblems[verb.toLowerCase()] ?? "";
      throw new EvalFailure(`error during formatting: ${problem}, was given ${wrong.type.name}`);
    });
  } catch (error) {
    if (!(error instanceof EvalFailure)) throw error;
    report(place, error.message);
    return;
  }
  const given = list.elements.length;
  if (given > seen) {
    report(expr.offset, `too many arguments supplied to string.format (expected ${seen}, got ${given})`);
  }
}

/** The argument, or a part of a literal one, that a clause does not take. */
function mismatch(
  verb: string,
  expr: Expr,
  checked: Checked,
): { readonly offset: number; readonly type: CelType } | undefined {
  const type = checked.typeOf(expr);
  if (type.kind !== "dyn" && !(takes[verb] ?? []).includes(type.kind)) return { offset: expr.offset, type };
  if (verb !== "s") return undefined;
  const parts =
    expr.kind === "list"
      ? expr.elements
      : expr.kind === "map"
        ? expr.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const wrong = mismatch(verb, part, checked);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
