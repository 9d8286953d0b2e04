import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { JoinedSignal } from "./joined-signal.js";

/** Which request, and how long it may take. */
export interface BoundedRequestOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Ends it too. */
  readonly signal: AbortSignal;
  /** What it is about, for the error: `Lease "default/web"`. */
  readonly what: string;
}

/** Ends a request that takes too long, also over a transport that does not listen to its signal. */
export async function boundedRequest<T>(
  { clock, timeoutMs, signal, what }: BoundedRequestOptions,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  using joined = new JoinedSignal(signal);
  const timer = clock.startTimer(timeoutMs, () => {
    const text = `Cannot use ${what}: there was no answer within ${timeoutMs / 1_000} s`;
    joined.abort(new OperatorError("TRANSPORT_FAILED", text));
  });
  const aborted = new Promise<never>((_, reject) => {
    joined.signal.addEventListener("abort", () => reject(joined.signal.reason), { once: true });
  });
  try {
    return await Promise.race([send(joined.signal), aborted]);
  } finally {
    timer.cancel();
  }
}
