import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { JoinedSignal } from "../transport/index.js";

/** Options of {@link boundedRequest}. */
export interface BoundedRequestOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Aborts the request. */
  readonly signal: AbortSignal;
  /** The object, for the error: `Lease "default/web"`. */
  readonly what: string;
}

/** Runs a request with a timeout, even if the transport ignores its signal. */
export async function boundedRequest<T>(
  { clock, timeoutMs, signal, what }: BoundedRequestOptions,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  using joined = new JoinedSignal(signal);
  const timer = clock.startTimer(timeoutMs, () => {
    const message = `Cannot read or write ${what}: the server did not respond within ${timeoutMs / 1_000} s`;
    joined.abort(new OperatorError("TRANSPORT_FAILED", message));
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
