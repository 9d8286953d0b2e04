import { deepEqual, getOwn, isJsonObject, type JsonValue } from "../json/index.js";
import { JsonPathError } from "./json-path-error.js";
import { parseSteps, type Step } from "./parse-steps.js";

/** A parsed JSONPath. */
export interface JsonPath {
  /**
   * The values that the path selects, in document order; empty if there are none.
   * Throws a {@link JsonPathError} if there are more than 100,000.
   */
  evaluate(value: JsonValue): JsonValue[];
  /** The path before parsing. */
  toString(): string;
}

/** Maximum number of values per step: repeated `..` could otherwise return any number. */
const maxResults = 100_000;

/**
 * Parses a JSONPath of kubectl or of CRD printer columns, with or without braces:
 * `.spec.replicas`, `.metadata.annotations.example\.com/x`, `['a\.b']`, `[0]`, `[-1]`, `[1:3]`, `[0,2]`, `[*]`, `.*`,
 * `..name`, `[?(@.type=="Ready")]`.
 *
 * Accepts a single path, not a template with text, `range` and `end`. Throws a {@link JsonPathError} if it does not parse.
 */
export function parseJsonPath(text: string): JsonPath {
  const steps = parseSteps(text);
  return {
    evaluate: (value) => evaluateSteps(value, steps, text),
    toString: () => text,
  };
}

function evaluateSteps(value: JsonValue, steps: readonly Step[], text: string): JsonValue[] {
  let current: JsonValue[] = [value];
  for (const step of steps) {
    const next: JsonValue[] = [];
    for (const item of current) {
      for (const result of applyStep(item, step, text)) {
        if (next.length >= maxResults) throw new JsonPathError(text, `it returns more than ${maxResults} values`);
        next.push(result);
      }
    }
    current = next;
  }
  return current;
}

function* applyStep(value: JsonValue, step: Step, text: string): Iterable<JsonValue> {
  switch (step.kind) {
    case "fields":
      for (const path of step.paths) {
        const field = path.reduce<JsonValue | undefined>(
          (inner, name) => (isJsonObject(inner) ? getOwn(inner, name) : undefined),
          value,
        );
        if (field !== undefined) yield field;
      }
      return;
    case "indices":
      for (const index of step.indices) {
        const item = Array.isArray(value) ? value.at(index) : undefined;
        if (item !== undefined) yield item;
      }
      return;
    case "slice":
      if (Array.isArray(value)) yield* slice(value, step);
      return;
    case "wildcard":
      yield* childrenOf(value);
      return;
    case "descend":
      yield* descend(value);
      return;
    case "filter":
      if (!Array.isArray(value)) return;
      for (const item of value) {
        if (matchesFilter(item, step, text)) yield item;
      }
      return;
    default:
      step satisfies never;
  }
}

function* slice(value: readonly JsonValue[], step: Extract<Step, { kind: "slice" }>): Iterable<JsonValue> {
  const bound = (index: number): number =>
    Math.min(Math.max(index < 0 ? index + value.length : index, 0), value.length);
  const end = bound(step.end ?? value.length);
  for (let index = bound(step.start ?? 0); index < end; index += step.step) {
    const item = value[index];
    if (item !== undefined) yield item;
  }
}

function childrenOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

/** The value itself and all its descendants, in preorder. */
function* descend(value: JsonValue): Iterable<JsonValue> {
  const waiting: JsonValue[] = [value];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    yield current;
    waiting.push(...[...childrenOf(current)].reverse().slice(0, maxResults));
  }
}

function matchesFilter(item: JsonValue, step: Extract<Step, { kind: "filter" }>, text: string): boolean {
  const [left] = evaluateSteps(item, step.path, text);
  if (step.comparison === undefined) return left !== undefined;
  if (left === undefined) return false;
  const { operator, value: right } = step.comparison;
  switch (operator) {
    case "==":
      return deepEqual(left, right);
    case "!=":
      return !deepEqual(left, right);
    default:
      return isOrdered(left, right, operator);
  }
}

function isOrdered(left: JsonValue, right: JsonValue, operator: "<" | "<=" | ">" | ">="): boolean {
  const isComparable = (isNumeric(left) && isNumeric(right)) || (typeof left === "string" && typeof right === "string");
  if (!isComparable) return false;
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
