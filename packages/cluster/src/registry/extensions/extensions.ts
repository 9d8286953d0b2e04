import type { ObjectConverter } from "./object-converter.js";
import type { RuleEvaluator } from "./rule-evaluator.js";

/** What the server can be given because it cannot do it by itself. */
export interface Extensions {
  /** Evaluates rules of schemas. Without one, definitions that have rules are rejected, or accepted with a warning. */
  readonly rules: RuleEvaluator | "reject" | "warn";
  /** Converts objects between versions, by the definition's name; a definition that asks for it and has none is refused. */
  readonly converters?: ReadonlyMap<string, ObjectConverter>;
}

/** A server with nothing added: what it cannot do, it refuses. */
export const noExtensions: Extensions = { rules: "reject" };
