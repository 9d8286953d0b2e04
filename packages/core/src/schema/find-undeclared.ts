import type { JsonObject } from "../json/index.js";
import { type FieldError, required } from "./field-error.js";
import { branchesAt, schemaAt, schemasAt } from "./schema-children.js";

/**
 * Reports fields that a junctor (`allOf`, `anyOf`, `oneOf`, `not`) at the root of a schema names, but that are not declared outside of
 * junctors. Like kube-apiserver, it checks only junctors at the root.
 */
export function findUndeclared(schema: JsonObject, path: string): Iterable<FieldError> {
  return undeclaredInJunctors(schema, schema, path, path);
}

function* undeclaredInJunctors(
  rules: JsonObject,
  schema: JsonObject,
  path: string,
  rulesPath: string,
): Generator<FieldError> {
  const not = schemaAt(rules, "not");
  if (not !== undefined) yield* undeclared(not, schema, path, `${rulesPath}.not`);
  for (const junctor of ["allOf", "anyOf", "oneOf"])
    for (const [index, branch] of branchesAt(rules, junctor).entries())
      yield* undeclared(branch, schema, path, `${rulesPath}.${junctor}[${index}]`);
}

function* undeclared(
  rules: JsonObject,
  schema: JsonObject | undefined,
  path: string,
  rulesPath: string,
): Generator<FieldError> {
  if (schema === undefined) {
    yield required(path, `because it is defined in ${rulesPath}`);
    return;
  }
  yield* undeclaredInJunctors(rules, schema, path, rulesPath);
  const items = schemaAt(rules, "items");
  if (items !== undefined) yield* undeclared(items, schemaAt(schema, "items"), `${path}.items`, `${rulesPath}.items`);
  const declared = new Map(schemasAt(schema, "properties"));
  for (const [name, property] of schemasAt(rules, "properties")) {
    const place = `properties[${name}]`;
    yield* undeclared(property, declared.get(name), `${path}.${place}`, `${rulesPath}.${place}`);
  }
}
