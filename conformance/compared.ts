import { isJsonObject } from "@kubewright/core/json";
import type { Seen } from "./normalise.js";
import type { Case } from "./test-case.js";

/**
 * The parts of each response that are compared.
 *
 * A rejection is compared by HTTP status, reason and the fields and reasons of its causes, each cause once and in any order. Its message is
 * compared only where the step is marked `wording`. Everything else is compared in full.
 */
export function compared(one: Case, seen: readonly Seen[]): Seen[] {
  const steps = one.steps.filter((step) => step.kind === "read" || step.silent !== true);
  return seen.map((response, index) => {
    const step = steps[index];
    return comparedResponse(response, step?.kind === "request" && step.wording === true);
  });
}

function comparedResponse(seen: Seen, hasWording: boolean): Seen {
  const { status, body, events } = seen;
  if (Array.isArray(events)) return { ...seen, events: events.map(comparedEvent) };
  if (typeof status !== "number" || status < 400) return seen;
  if (typeof body === "string") return hasWording ? seen : { ...seen, body: "<plain text>" };
  return { ...seen, body: comparedRejection(body, hasWording) };
}

function comparedEvent(event: unknown): unknown {
  if (!isJsonObject(event) || event["type"] !== "ERROR") return event;
  return { ...event, object: comparedRejection(event["object"], false) };
}

function comparedRejection(status: unknown, hasWording: boolean): unknown {
  if (!isJsonObject(status) || status["kind"] !== "Status") return status;
  const { kind, code, reason, details, message } = status;
  const causes =
    isJsonObject(details) && Array.isArray(details["causes"]) ? details["causes"].filter(isJsonObject) : [];
  const parts = hasWording ? ["field", "reason", "message"] : ["field", "reason"];
  const found = new Set(causes.map((cause) => parts.map((part) => cause[part] ?? "").join(": ")));
  return { kind, code, reason, causes: [...found].sort(), ...(hasWording && { message }) };
}
