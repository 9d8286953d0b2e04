import { getOwn } from "../json/index.js";
import type { Schema } from "./schema.js";

/** A field path resolved in a schema, or why it is invalid. */
export type FieldPath =
  | { readonly kind: "found"; readonly steps: readonly string[]; readonly schema: Schema }
  | { readonly kind: "invalid"; readonly why: string };

/**
 * Resolves a field path, `.spec.color` or `.spec['color']`, in a schema.
 *
 * With `arrayNotation` false, brackets are rejected, as in selectable fields.
 */
export function resolveFieldPath(text: string, schema: Schema, { arrayNotation = true } = {}): FieldPath {
  const tokens = text.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]]+/g) ?? [];
  const steps: string[] = [];
  let current = schema;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if (token !== "." && token !== "[") return invalid(`expected [ or . but got: ${token}`);
    if (token === "[" && !arrayNotation) return invalid("array notation is not allowed");
    const given = tokens[++at];
    if (given === undefined) return invalid("unexpected end of JSON path");
    if (token === "[" && !/^'.*'$/s.test(given)) return invalid(`expected single quoted string but got ${given}`);
    const name = token === "[" ? given.slice(1, -1).replace(/\\(.)/gs, "$1") : given;
    const next = stepInto(current, name);
    if (next === undefined) return invalid("does not refer to a valid field");
    current = next;
    steps.push(name);
    if (token !== "[") continue;
    const close = tokens[++at];
    if (close !== "]")
      return invalid(close === undefined ? "unexpected end of JSON path" : `expected ] but got ${close}`);
  }
  return { kind: "found", steps, schema: current };
}

function stepInto(schema: Schema, name: string): Schema | undefined {
  if (schema.properties !== undefined) return getOwn(schema.properties, name);
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

function invalid(why: string): FieldPath {
  return { kind: "invalid", why };
}
