import type { Seen } from "./normalise.js";
import type { Case } from "./test-case.js";

/**
 * What of each response is compared.
 *
 * A rejection is compared by HTTP status, reason and the fields and reasons of its causes, each cause once and in any order. Its message is
 * compared only where the step is marked `wording`. Everything else is compared in full.
 */
export function compared(one: Case, seen: readonly Seen[]): Seen[] {
  const steps = one.steps.filter((step) => step.kind === "read" || step.silent !== true);
  return seen.map((response, index) => {
    const step = steps[index];
    return step?.kind === "request" && step.wording === true ? response : withoutWording(response);
  });
}

function withoutWording(seen: Seen): Seen {
  const { status, body, events } = seen;
  if (Array.isArray(events)) return { ...seen, events: events.map(withoutEventWording) };
  if (typeof status !== "number" || status < 400) return seen;
  return { ...seen, body: typeof body === "string" ? "<plain text>" : rejectionOf(body) };
}

function withoutEventWording(event: unknown): unknown {
  return isRecord(event) && event["type"] === "ERROR" ? { ...event, object: rejectionOf(event["object"]) } : event;
}

function rejectionOf(status: unknown): unknown {
  if (!isRecord(status) || status["kind"] !== "Status") return status;
  const { kind, code, reason, details } = status;
  const causes = isRecord(details) && Array.isArray(details["causes"]) ? details["causes"].filter(isRecord) : [];
  const found = new Set(causes.map((cause) => `${cause["field"] ?? ""}: ${cause["reason"] ?? ""}`));
  return { kind, code, reason, causes: [...found].sort() };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
