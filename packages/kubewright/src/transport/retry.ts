import { isConnectionLoss } from "./explain-failure.js";

/** A longer `Retry-After` is not awaited: the caller gets the response. */
const longestPauseMs = 120_000;
const firstDelayMs = 50;
const longestDelayMs = 1_000;

/**
 * Returns the delay before a retry that the server requested; undefined: do not retry.
 *
 * As in client-go, 429 and every 5xx with `Retry-After` in seconds is retried, for all verbs: the header means that the server did not process
 * the request. Jitter of up to 20 % spreads clients that were throttled at the same time.
 */
export function requestedDelayMs(
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
 * Returns the delay before a retry after a lost connection; undefined: it was another failure.
 *
 * Only GET may be retried, as in client-go. The server may have processed a write that got no response: a repeated create would conflict with itself,
 * and a repeated update or patch could overwrite another client's write. The next reconcile reads the state first. ECONNREFUSED is not a lost
 * connection: the caller decides whether to wait for the server.
 */
export function connectionLossDelayMs(error: unknown, retry: number, random: () => number): number | undefined {
  if (!isConnectionLoss(error)) return undefined;
  return Math.min(longestDelayMs, firstDelayMs * 2 ** retry) * (0.5 + random() / 2);
}
