import type { TransportRequest } from "@kubewright/core/transport";
import { isConnectionLoss } from "./explain-failure.js";

/** A server that asks for a longer pause gets none: whoever called decides. */
const longestPauseMs = 120_000;
const firstDelayMs = 50;
const longestDelayMs = 1_000;

/**
 * How long to wait before a request is sent again, because the server asked for it; undefined: not at all.
 *
 * As in client-go, that is so for 429 and every 5xx with a `Retry-After` in seconds, whatever the verb: with it the server says that it
 * did nothing. Up to a fifth is added, so that those who were sent away together do not come back together.
 */
export function pauseAsked(
  status: number,
  headers: Readonly<Record<string, string>>,
  random: () => number,
): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  const asked = headers["retry-after"];
  if (asked === undefined || !/^\d{1,6}$/.test(asked)) return undefined;
  const pauseMs = Number(asked) * 1_000;
  return pauseMs > longestPauseMs ? undefined : pauseMs * (1 + random() / 5);
}

/**
 * How long to wait before a request is sent again after its connection was lost; undefined: not at all.
 *
 * Only a GET is repeated, as in client-go. Of a write that got no answer nobody knows whether it was carried out: repeated, a create
 * would report a conflict with itself, and an update or a patch could undo what another wrote in between. Reconciling decides that,
 * because it looks first. A refused connection is no loss: there is nobody, and waiting is the caller's choice.
 */
export function pauseAfterLoss(
  { method }: TransportRequest,
  error: unknown,
  retry: number,
  random: () => number,
): number | undefined {
  if (method !== "GET" || !isConnectionLoss(error)) return undefined;
  return Math.min(longestDelayMs, firstDelayMs * 2 ** retry) * (0.5 + random() / 2);
}
