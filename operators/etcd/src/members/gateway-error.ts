import { EtcdError, type EtcdErrorReason } from "./etcd-members.js";

/** Parts of etcd's messages, which have no other code of their own. The more specific ones come first. */
const reasons: readonly (readonly [string, EtcdErrorReason])[] = [
  ["unhealthy cluster", "unhealthy"],
  ["not enough started members", "notEnoughStarted"],
  ["in sync with leader", "learnerNotReady"],
  ["can only promote a learner", "notLearner"],
  ["too many learner", "tooManyLearners"],
  ["member not found", "memberNotFound"],
  ["peer urls already exists", "memberExists"],
  ["member id already exist", "memberExists"],
  ["has been compacted", "compacted"],
  ["space exceeded", "noSpace"],
  ["request timed out", "unavailable"],
  ["no leader", "unavailable"],
  ["leader changed", "unavailable"],
  ["server stopped", "unavailable"],
];

/** The error of a response: the body of the gateway has the message of etcd. */
export function gatewayError(
  what: string,
  { status, body }: { readonly status: number; readonly body: string },
): EtcdError {
  const message = messageIn(body) ?? body.slice(0, 200);
  const lower = message.toLowerCase();
  const reason =
    reasons.find(([part]) => lower.includes(part))?.[1] ?? (status === 503 || status === 504 ? "unavailable" : "other");
  return new EtcdError(reason, `${what} failed with HTTP ${status}: ${message}`);
}

function messageIn(body: string): string | undefined {
  try {
    const { message, error } = JSON.parse(body) as { readonly message?: unknown; readonly error?: unknown };
    if (typeof message === "string") return message;
    return typeof error === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}
