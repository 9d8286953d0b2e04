import { goPrint, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { fieldSchema, itemSchema, keywordOf, type Schema, structureOf } from "../schema/index.js";
import { elementOf, isDeclared, mergeShape } from "./merge-shape.js";
import { objectSchema } from "./object-schema.js";
import { fieldElement, type PathElement, printElement } from "./path-element.js";

/** How strictly an object is held against its type. */
export interface CheckTypedOptions {
  /** Takes lists that hold an element twice, as stored ones may. @default false */
  readonly allowDuplicates?: boolean;
  /** Whether an object whose schema names no fields may have any; built-in kinds describe raw objects so. @default false */
  readonly keepOpaqueObjects?: boolean;
}

/**
 * What keeps an object from being merged by its schema, in the words of the server: `.spec.size: expected numeric (int or float), got
 * string`. Nulls fit everything.
 */
export function checkTyped(object: JsonObject, schema: Schema | undefined, options: CheckTypedOptions = {}): string[] {
  const problems: string[] = [];
  visit(object, objectSchema(schema), "", options, problems);
  return problems;
}

/** The problems as one text. */
export function typedMessage(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] ?? "") : ["errors:", ...problems.map((one) => `  ${one}`)].join("\n");
}

type Walk = (value: JsonValue, schema: Schema | undefined, path: string) => void;

function visit(
  value: JsonValue,
  schema: Schema | undefined,
  path: string,
  options: CheckTypedOptions,
  problems: string[],
): void {
  if (value === null || schema === undefined) return;
  const deeper: Walk = (inner, innerSchema, place) => visit(inner, innerSchema, place, options, problems);
  switch (keywordOf(schema, "type")) {
    case "string":
      // Of a text with a format the server knows no more than that it is a scalar.
      if (!["", "byte"].includes(keywordOf(schema, "format") ?? "")) visitScalar(value, path, problems);
      else if (typeof value !== "string") problems.push(`${path}: expected string, got ${goSyntax(value)}`);
      return;
    case "boolean":
      if (typeof value !== "boolean") problems.push(`${path}: expected boolean, got &{${goPrint(value)}}`);
      return;
    case "integer":
    case "number":
      if (typeof value !== "number") problems.push(`${path}: expected numeric (int or float), got ${goTypeOf(value)}`);
      return;
    case "array":
      if (Array.isArray(value)) visitList(value, schema, path, { deeper, options, problems });
      else problems.push(`${path}: expected list, got &{${goPrint(value)}}`);
      return;
    case "object":
      if (isJsonObject(value)) visitMap(value, schema, path, { deeper, options, problems });
      else problems.push(`${path}: expected map, got &{${goPrint(value)}}`);
      return;
    default:
      if (isAmount(schema)) visitScalar(value, path, problems);
  }
}

/** Amounts of resources are texts or numbers. */
function isAmount(schema: Schema): boolean {
  const branches = keywordOf(schema, "oneOf");
  return (
    keywordOf(schema, "format") === undefined &&
    branches?.length === 2 &&
    branches.every(({ type }) => type === "string" || type === "number")
  );
}

function visitScalar(value: JsonValue, path: string, problems: string[]): void {
  if (typeof value === "object" && value !== null)
    problems.push(`${path}: expected any scalar, got &{${goPrint(value)}}`);
}

interface Context {
  readonly deeper: Walk;
  readonly options: CheckTypedOptions;
  readonly problems: string[];
}

function visitMap(value: JsonObject, schema: Schema, path: string, { deeper, options, problems }: Context): void {
  const structure = structureOf(schema);
  const isOpen =
    structure?.["x-kubernetes-preserve-unknown-fields"] === true ||
    structure?.additionalProperties === true ||
    (options.keepOpaqueObjects === true &&
      structure?.properties === undefined &&
      structure?.additionalProperties === undefined);
  for (const [key, field] of Object.entries(value)) {
    const place = path + printElement(fieldElement(key));
    const inner = fieldSchema(schema, key);
    if (inner === undefined && !isDeclared(schema, key) && !isOpen)
      problems.push(`${place}: field not declared in schema`);
    else deeper(field, inner, place);
  }
}

function visitList(
  value: readonly JsonValue[],
  schema: Schema,
  path: string,
  { deeper, options, problems }: Context,
): void {
  const items = itemSchema(schema);
  const shape = mergeShape(value, schema);
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    if (shape.kind !== "list") {
      deeper(item, items, `${path}[${index}]`);
      continue;
    }
    const found = elementOf(item, schema);
    if (!("element" in found)) {
      problems.push(`${path}: element ${index}: ${found.problem}`);
      // The server gives up on a list at its first element without an identity.
      return;
    }
    if (seen.has(found.element) && options.allowDuplicates !== true)
      problems.push(`${path}: duplicate entries for key ${printElement(found.element)}`);
    seen.add(found.element);
    deeper(item, items, path + printElement(found.element));
  }
}

/** As Go writes a value in its own syntax. */
function goSyntax(value: JsonValue): string {
  return `&value.valueUnstructured{Value:${literal(value)}}`;
}

function literal(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map(literal).join(", ")}}`;
  if (!isJsonObject(value)) return typeof value === "string" ? JSON.stringify(value) : String(value);
  const fields = Object.keys(value).sort();
  const inner = fields.map((key) => `${JSON.stringify(key)}:${literal(value[key] ?? null)}`);
  return `map[string]interface {}{${inner.join(", ")}}`;
}

function goTypeOf(value: JsonValue): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "map[string]interface {}";
}
