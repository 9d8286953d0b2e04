import { OperatorError } from "@kubewright/core/errors";
import type { Operator } from "kubewright";

/** Whether a module's export is an operator. By its shape: the project may have another copy of the package. */
export function isOperator(value: unknown): value is Operator {
  return (
    typeof value === "object" &&
    value !== null &&
    "controllers" in value &&
    Array.isArray(value.controllers) &&
    "rules" in value &&
    typeof value.rules === "function"
  );
}

/** The operator that a module exports. Throws CONFIG_INVALID when it exports none, or several. */
export function exportedOperator(file: string, names: Readonly<Record<string, unknown>>): Operator {
  const operators = [...new Set(Object.values(names).filter(isOperator))];
  const [operator, second] = operators;
  const fail = (why: string): OperatorError => new OperatorError("CONFIG_INVALID", `Cannot run "${file}": it ${why}`);
  if (operator === undefined)
    throw fail(
      "exports no operator; export what `operator()` returns, such as `export const shop = operator({ ... })`",
    );
  if (second !== undefined)
    throw fail(`exports ${operators.length} operators (${operators.map(({ name }) => name).join(", ")}); export one`);
  return operator;
}
