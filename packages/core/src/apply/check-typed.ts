import { goPrint, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { fieldSchema, itemSchema, keywordOf, type Schema, structureOf } from "../schema/index.js";
import { elementOf, isDeclared, mergeShape } from "./merge-shape.js";
import { objectSchema } from "./object-schema.js";
import { fieldElement, type PathElement, printElement } from "./path-element.js";

/** Options of {@link checkTyped}. */
export interface CheckTypedOptions {
  /** Accepts duplicate list elements, which stored objects may have. @default false */
  readonly allowDuplicates?: boolean;
  /** Accepts any field in an object whose schema declares none, as built-in kinds do for RawExtension. @default false */
  readonly keepOpaqueObjects?: boolean;
}

/**
 * Type errors of an object, with the messages of structured-merge-diff: `.spec.size: expected numeric (int or float), got string`.
 * Null is valid everywhere.
 */
export function checkTyped(object: JsonObject, schema: Schema | undefined, options: CheckTypedOptions = {}): string[] {
  const check = new TypedCheck(options);
  check.visit(object, objectSchema(schema), "");
  return check.problems;
}

/** Joins the errors into one message. */
export function typedMessage(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] ?? "") : ["errors:", ...problems.map((one) => `  ${one}`)].join("\n");
}

/** Walks an object and its schema. */
class TypedCheck {
  readonly problems: string[] = [];
  readonly #options: CheckTypedOptions;

  constructor(options: CheckTypedOptions) {
    this.#options = options;
  }

  visit(value: JsonValue, schema: Schema | undefined, path: string): void {
    if (value === null || schema === undefined) return;
    switch (keywordOf(schema, "type")) {
      case "string":
        // structured-merge-diff accepts any scalar for a string with a format.
        if (!["", "byte"].includes(keywordOf(schema, "format") ?? "")) this.#visitScalar(value, path);
        else if (typeof value !== "string")
          this.problems.push(`${path}: expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
        return;
      case "boolean":
        if (typeof value !== "boolean") this.problems.push(`${path}: expected boolean, got &{${goPrint(value)}}`);
        return;
      case "integer":
      case "number":
        if (typeof value !== "number" && typeof value !== "bigint")
          this.problems.push(`${path}: expected numeric (int or float), got ${goTypeOf(value)}`);
        return;
      case "array":
        if (Array.isArray(value)) this.#visitList(value, schema, path);
        else this.problems.push(`${path}: expected list, got &{${goPrint(value)}}`);
        return;
      case "object":
        if (isJsonObject(value)) this.#visitMap(value, schema, path);
        else this.problems.push(`${path}: expected map, got &{${goPrint(value)}}`);
        return;
      default:
        if (isQuantity(schema)) this.#visitScalar(value, path);
    }
  }

  #visitScalar(value: JsonValue, path: string): void {
    if (typeof value === "object" && value !== null)
      this.problems.push(`${path}: expected any scalar, got &{${goPrint(value)}}`);
  }

  #visitMap(value: JsonObject, schema: Schema, path: string): void {
    const structure = structureOf(schema);
    const isOpen =
      structure?.["x-kubernetes-preserve-unknown-fields"] === true ||
      structure?.additionalProperties === true ||
      (this.#options.keepOpaqueObjects === true &&
        structure?.properties === undefined &&
        structure?.additionalProperties === undefined);
    for (const [key, field] of Object.entries(value)) {
      const place = path + printElement(fieldElement(key));
      const inner = fieldSchema(schema, key);
      if (inner === undefined && !isDeclared(schema, key) && !isOpen)
        this.problems.push(`${place}: field not declared in schema`);
      else this.visit(field, inner, place);
    }
  }

  #visitList(value: readonly JsonValue[], schema: Schema, path: string): void {
    const items = itemSchema(schema);
    const shape = mergeShape(value, schema);
    const seen = new Set<PathElement>();
    for (const [index, item] of value.entries()) {
      if (shape.kind !== "list") {
        this.visit(item, items, `${path}[${index}]`);
        continue;
      }
      const found = elementOf(item, schema);
      if (!("element" in found)) {
        this.problems.push(`${path}: element ${index}: ${found.problem}`);
        // As in structured-merge-diff, the first element without an identity ends the check of the list.
        return;
      }
      if (seen.has(found.element) && this.#options.allowDuplicates !== true)
        this.problems.push(`${path}: duplicate entries for key ${printElement(found.element)}`);
      seen.add(found.element);
      this.visit(item, items, path + printElement(found.element));
    }
  }
}

/** The schema of a Quantity: a string or a number. */
function isQuantity(schema: Schema): boolean {
  const branches = keywordOf(schema, "oneOf");
  return (
    keywordOf(schema, "format") === undefined &&
    branches?.length === 2 &&
    branches.every(({ type }) => type === "string" || type === "number")
  );
}

function goTypeOf(value: JsonValue): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "map[string]interface {}";
}

/** A value in Go's syntax (`%#v`). */
function goSyntax(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (Array.isArray(value)) return `${goTypeOf(value)}{${value.map(goSyntax).join(", ")}}`;
  if (!isJsonObject(value)) return typeof value === "string" ? JSON.stringify(value) : String(value);
  const fields = Object.keys(value).sort();
  return `${goTypeOf(value)}{${fields.map((key) => `${JSON.stringify(key)}:${goSyntax(value[key] ?? null)}`).join(", ")}}`;
}
