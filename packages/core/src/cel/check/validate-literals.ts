import { pattern } from "../library/patterns.js";
import type { CallExpr, Expr } from "../syntax/expr.js";
import type { Issue, Source } from "../syntax/source.js";
import { childrenOf } from "../syntax/walk.js";
import { type CelType, formatType, optionalParam, sameType } from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import { parseDuration, parseTimestamp, timestamp } from "../values/time.js";
import type { Checked } from "./checked.js";
import { validateFormat } from "./validate-format.js";

/** Literals that would fail in every evaluation, and lists and maps of more than one type. */
export function validateLiterals(checked: Checked, source: Source): Issue[] {
  const issues: Issue[] = [];
  const report = (offset: number, message: string): void => {
    issues.push(source.issueAt(offset, message));
  };
  const visit = (expr: Expr, isMixed: boolean): void => {
    if (expr.kind === "call" && expr.name === "format") validateFormat(expr, checked, report);
    else if (expr.kind === "call") validateArgument(expr, report);
    else if (!isMixed && (expr.kind === "list" || expr.kind === "map")) validateTypes(expr, checked, report);
    // The arguments of `format` may be of different types.
    const mixes = isMixed || (expr.kind === "call" && expr.name === "format");
    for (const child of childrenOf(expr)) visit(child, mixes);
  };
  visit(checked.expr, false);
  return issues;
}

type Report = (offset: number, message: string) => void;

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  duration: (value) => typeof value === "string" && parseDuration(value) !== undefined,
  timestamp: (value) =>
    typeof value === "string" ? parseTimestamp(value) !== undefined : timestamp(Number(value), 0) !== undefined,
  matches: (value) => typeof value === "string" && pattern(value) !== undefined,
};

function validateArgument({ name, args: [first] }: CallExpr, report: Report): void {
  const isValid = checks[name];
  if (isValid === undefined || first?.kind !== "literal") return;
  try {
    if (isValid(first.value)) return;
  } catch (error) {
    if (!(error instanceof EvalFailure)) throw error;
  }
  report(first.offset, `invalid ${name} argument`);
}

function validateTypes(expr: Expr & { kind: "list" | "map" }, checked: Checked, report: Report): void {
  const typeAt = (part: Expr, isOptional: boolean): CelType => {
    const type = checked.typeOf(part);
    return isOptional ? (optionalParam(type) ?? type) : type;
  };
  const oneType = (parts: readonly (readonly [Expr, boolean])[]): void => {
    let first: CelType | undefined;
    for (const [part, isOptional] of parts) {
      const type = typeAt(part, isOptional);
      first ??= type;
      if (sameType(first, type)) continue;
      report(part.offset, `expected type '${formatType(first)}' but found '${formatType(type)}'`);
      return;
    }
  };
  if (expr.kind === "list") oneType(expr.elements.map((element, index) => [element, expr.optional.has(index)]));
  else {
    oneType(expr.entries.map(({ key }) => [key, false]));
    oneType(expr.entries.map(({ value, optional }) => [value, optional]));
  }
}
