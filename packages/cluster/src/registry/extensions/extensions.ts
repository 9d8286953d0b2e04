import type { ConversionWebhook, ObjectConverter } from "./object-converter.js";
import type { RuleEvaluator } from "./rule-evaluator.js";

/** Optional features that are passed to the server. */
export interface Extensions {
  /** Evaluates CEL validation rules. Without an evaluator, CRDs with rules are rejected, or accepted with a warning. */
  readonly rules: RuleEvaluator | "reject" | "warn";
  /** Converts objects between versions, by the name of the CRD. A CRD with the strategy Webhook and no converter is rejected. */
  readonly converters?: ReadonlyMap<string, ObjectConverter | ConversionWebhook>;
}

/** No extensions: CRDs that need one are rejected. */
export const noExtensions: Extensions = { rules: "reject" };
