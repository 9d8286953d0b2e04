import { OperatorError } from "../errors/index.js";
import { getOwn } from "../json/index.js";
import { labelKeyProblems, labelValueProblems } from "./label-names.js";

/** The operator of a requirement. `=` and `==` are equivalent and print as they were parsed. */
export type LabelOperator = "in" | "notin" | "=" | "==" | "!=" | "gt" | "lt" | "exists" | "!";

/** One requirement on the labels of an object. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and unique; empty for `exists` and `!`. */
  readonly values: readonly string[];
}

/** The labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Makes a requirement. Throws an API_BAD_REQUEST error with kube-apiserver's message if it is invalid. */
export function labelRequirement(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  const problems: string[] = [];
  const keyProblems = labelKeyProblems(key);
  if (keyProblems.length > 0) problems.push(`key: Invalid value: ${JSON.stringify(key)}: ${keyProblems.join("; ")}`);
  if ((operator === "in" || operator === "notin") && values.length === 0) {
    problems.push("values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty");
  }
  for (const [index, value] of values.entries()) {
    if ((operator === "gt" || operator === "lt") && parseInteger(value) === undefined) {
      const rule = "for 'Gt', 'Lt' operators, the value must be an integer";
      problems.push(`values[${index}]: Invalid value: ${JSON.stringify(value)}: ${rule}`);
    }
    const valueProblems = labelValueProblems(value);
    if (valueProblems.length > 0) {
      problems.push(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${valueProblems.join("; ")}`);
    }
  }
  if (problems.length > 0) {
    throw new OperatorError("API_BAD_REQUEST", problems.length === 1 ? `${problems[0]}` : `[${problems.join(", ")}]`);
  }
  return { key, operator, values: [...new Set(values)].sort() };
}

/** Whether labels match a requirement. A missing label matches `!=` and `notin`. */
export function requirementMatches(requirement: LabelRequirement, labels: Labels): boolean {
  const value = getOwn(labels, requirement.key);
  switch (requirement.operator) {
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "in":
    case "=":
    case "==":
      return value !== undefined && requirement.values.includes(value);
    case "notin":
    case "!=":
      return value === undefined || !requirement.values.includes(value);
    case "gt":
    case "lt": {
      const actual = value === undefined ? undefined : parseInteger(value);
      const bound = parseInteger(requirement.values[0] ?? "");
      if (actual === undefined || bound === undefined) return false;
      return requirement.operator === "gt" ? actual > bound : actual < bound;
    }
    default:
      return requirement.operator satisfies never;
  }
}

/** The requirement as a string that parses to the same requirement. */
export function printRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.join(",")})`;
    case "gt":
      return `${key}>${values[0]}`;
    case "lt":
      return `${key}<${values[0]}`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}

function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,20}$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
