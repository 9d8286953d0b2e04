/** An endpoint that was not reached is tried again after this time at the earliest. */
const firstRetryMs = 60_000;

/** What the status says about the last check. */
interface LastCheck {
  readonly atMs: number;
  /** Since when the endpoint has not been reached; undefined when it has. */
  readonly downSinceMs: number | undefined;
}

/** When to connect again: after the period, and while the endpoint is down after as long as it has been down. */
export function nextCheckMs({ atMs, downSinceMs }: LastCheck, periodMs: number): number {
  if (downSinceMs === undefined) return atMs + periodMs;
  return atMs + Math.min(Math.max(atMs - downSinceMs, firstRetryMs), periodMs);
}
