import type { JsonObject } from "@kubewright/core/json";
import type { FieldError, Schema } from "@kubewright/core/schema";

/**
 * Evaluates the CEL validation rules of schemas (`x-kubernetes-validations`).
 *
 * Without an evaluator the server rejects CRDs with rules, unless it was started to accept them unevaluated. With one, the registry calls it
 * for every write of a CRD or a custom resource.
 */
export interface RuleEvaluator {
  /** Validates the rules of a schema, on every write of a CRD; `path` is the field path of the schema. */
  checkRules(schema: Schema, path: string): FieldError[];
  /** Evaluates the rules for an object that replaces `old`. Called only for objects that are otherwise valid. */
  evaluate(object: JsonObject, old: JsonObject | undefined, schema: Schema): FieldError[];
}
