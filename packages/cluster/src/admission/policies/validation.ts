import { OutOfBudget, type PolicyEvaluation, type Result } from "./evaluation.js";
import type { Policy } from "./policy.js";

/** The decision of one validation that does not admit the request. */
export interface Denial {
  /** Of the validation. */
  readonly index: number;
  readonly message: string;
  readonly reason: string;
}

/** The value of one audit annotation, or why the request is denied for it. */
export type Annotation =
  | { readonly kind: "publish"; readonly key: string; readonly value: string }
  | { readonly kind: "denied"; readonly message: string };

/** What a policy decides for one object of parameters. */
export interface ValidationResult {
  readonly denials: readonly Denial[];
  readonly annotations: readonly Annotation[];
}

/** The longest string that a messageExpression may return, in bytes. */
const maxMessageBytes = 5 * 1_024;
const nothing: ValidationResult = { denials: [], annotations: [] };

/** Evaluates the match conditions, validations and audit annotations of a ValidatingAdmissionPolicy. */
export function validate(policy: Policy, evaluation: PolicyEvaluation): ValidationResult {
  const failed = (message: string): ValidationResult =>
    policy.failsOpen ? nothing : { denials: [{ index: 0, message, reason: "" }], annotations: [] };
  const conditions = evaluation.conditions(policy.failsOpen);
  if (conditions.kind === "failed") return failed(conditions.message);
  if (conditions.kind === "differ") return nothing;
  try {
    return {
      denials: validations(policy, evaluation),
      annotations: annotations(policy, evaluation),
    };
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return failed(error.message);
  }
}

function validations({ compiled, spec, failsOpen }: Policy, evaluation: PolicyEvaluation): readonly Denial[] {
  const budget = { left: 10_000_000 };
  const results = evaluation.evaluate(compiled.validations, budget);
  const messages = messagesOf(compiled.messages, evaluation, budget);
  return results.flatMap((result, index): readonly Denial[] => {
    const error =
      result?.kind === "failed"
        ? result.message
        : messages.kind === "out of budget"
          ? `failed messageExpression: ${messages.message}`
          : undefined;
    if (error !== undefined) return failsOpen ? [] : [{ index, message: error, reason: "" }];
    if (result?.kind === "value" && result.value === true) return [];
    const { expression = "", message = "", reason = "Invalid" } = spec.validations?.[index] ?? {};
    const given = messages.kind === "results" ? usableMessage(messages.results[index]) : "";
    const text = given || message.trim() || `failed expression: ${expression.trim()}`;
    return [{ index, message: text, reason }];
  });
}

type Messages =
  | { readonly kind: "results"; readonly results: readonly Result[] }
  | { readonly kind: "out of budget"; readonly message: string };

function messagesOf(
  expressions: Policy["compiled"]["messages"],
  evaluation: PolicyEvaluation,
  budget: { left: number },
): Messages {
  try {
    return { kind: "results", results: evaluation.evaluate(expressions, budget) };
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return { kind: "out of budget", message: error.message };
  }
}

/** Empty if a messageExpression has no usable result. */
function usableMessage(result: Result): string {
  const message = result?.kind === "value" && typeof result.value === "string" ? result.value.trim() : "";
  return message.includes("\n") || Buffer.byteLength(message) > maxMessageBytes ? "" : message;
}

function annotations({ compiled, spec, failsOpen }: Policy, evaluation: PolicyEvaluation): readonly Annotation[] {
  return evaluation.evaluate(compiled.auditAnnotations).flatMap((result, index): readonly Annotation[] => {
    const { key = "" } = spec.auditAnnotations?.[index] ?? {};
    if (result === undefined) return [];
    if (result.kind === "failed") return failsOpen ? [] : [{ kind: "denied", message: result.message }];
    // The compiler has made sure that it is a string or null.
    const value = typeof result.value === "string" ? result.value.trim() : "";
    return value === "" ? [] : [{ kind: "publish", key, value }];
  });
}
