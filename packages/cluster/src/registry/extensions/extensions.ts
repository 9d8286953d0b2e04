import type { ConversionWebhook, ObjectConverter } from "./object-converter.js";
import type { RuleEvaluator } from "./rule-evaluator.js";

/** What the server can be given because it cannot do it by itself. */
export interface Extensions {
  /** Evaluates rules of schemas. Without one, definitions that have rules are rejected, or accepted with a warning. */
  readonly rules: RuleEvaluator | "reject" | "warn";
  /** Converts objects between versions, by the definition's name; a definition that names a webhook and has none is rejected. */
  readonly converters?: ReadonlyMap<string, ObjectConverter | ConversionWebhook>;
}

/** A server with nothing added: it rejects what it cannot do. */
export const noExtensions: Extensions = { rules: "reject" };
