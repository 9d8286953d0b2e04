import { isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { fieldSchema, itemSchema, type Schema } from "../schema/index.js";
import { mergePlan } from "./merge-plan.js";
import { isDeclared } from "./merge-shape.js";
import { mergeValues } from "./merge-values.js";
import { objectSchema } from "./object-schema.js";
import { fieldElement, printElement } from "./path-element.js";

/**
 * Merges a configuration into an object as server-side apply does, but nothing owns the fields: what a MutatingAdmissionPolicy applies.
 *
 * Does not modify its input; shares equal parts. Throws an API_BAD_REQUEST error if a list of the configuration has elements with
 * duplicate keys or without keys.
 */
export function mergeConfiguration(object: JsonObject, config: JsonObject, schema: Schema | undefined): JsonObject {
  return mergeValues(object, config, objectSchema(schema)) as JsonObject;
}

/** The paths of atomic lists, maps and structs that a configuration sets, such as `.spec.selector`. */
export function atomicPaths(config: JsonObject, schema: Schema | undefined): readonly string[] {
  const found: string[] = [];
  const visit = (value: JsonValue, current: Schema | undefined, path: string): void => {
    if (current === undefined) return;
    if (Array.isArray(value)) {
      if (!mergePlan(current).isAssociative) found.push(path);
      for (const [index, item] of value.entries()) visit(item, itemSchema(current), `${path}[${index}]`);
    } else if (isJsonObject(value)) {
      if (mergePlan(current).isWhole) found.push(path);
      // As in kube-apiserver, only declared fields are visited.
      for (const [key, field] of Object.entries(value)) {
        if (isDeclared(current, key)) visit(field, fieldSchema(current, key), path + printElement(fieldElement(key)));
      }
    }
  };
  visit(config, objectSchema(schema), "");
  return found;
}
