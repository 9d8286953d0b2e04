import type { JsonObject } from "@kubewright/core/json";
import type { FieldError, Schema } from "@kubewright/core/schema";

/**
 * What evaluates the rules of schemas (`x-kubernetes-validations`, written in CEL).
 *
 * This server has none of its own: definitions with rules are refused, unless it was started to take them unevaluated. An evaluator is
 * given to the registry, and is then asked for every definition and every write of a custom resource.
 */
export interface RuleEvaluator {
  /** What is wrong with the rules of a schema; `path` is where the schema stands. Asked when a definition is written. */
  checkRules(schema: Schema, path: string): FieldError[];
  /** Which rules an object breaks; `old` is what it replaces. Asked only for objects that keep the rest of the schema. */
  evaluate(object: JsonObject, old: JsonObject | undefined, schema: Schema): FieldError[];
}
