import type { Clock, Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { AnyKind } from "../definition/index.js";

/** Options of {@link InactivityGuard}. */
export interface InactivityOptions {
  readonly clock: Clock;
  /** Aborts the request too. */
  readonly outer: AbortSignal;
  readonly limitMs: number;
  /** For the error message. */
  readonly kind: AnyKind;
  /** Called synchronously when the limit is reached. */
  readonly onExpired?: (silence: Error) => void;
}

/**
 * Aborts a request without activity: a connection can be half-open without either side noticing.
 *
 * A server that supports bookmarks sends one about once a minute, so inactivity indicates a dead connection.
 */
export class InactivityGuard {
  readonly #options: InactivityOptions;
  readonly #abort = new AbortController();
  readonly #onOuterAbort = () => this.#abort.abort(this.#options.outer.reason);
  #timer: Timer;
  #lastMs: number;
  #limitMs: number;
  /** Whether inactivity aborted the request. */
  expired = false;

  constructor(options: InactivityOptions) {
    const { clock, outer, limitMs } = options;
    this.#options = options;
    this.#lastMs = clock.monotonic();
    this.#limitMs = limitMs;
    this.#timer = clock.startTimer(limitMs, () => this.#check(), { background: true });
    if (outer.aborted) this.#onOuterAbort();
    else outer.addEventListener("abort", this.#onOuterAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Records activity. Cheap, because it is called for each event: the timer is rescheduled only when it fires. */
  touch(): void {
    this.#lastMs = this.#options.clock.monotonic();
  }

  /** Aborts the request. */
  abort(reason: Error): void {
    this.#abort.abort(reason);
  }

  /** Raises the limit. */
  allow(limitMs: number): void {
    this.#limitMs = limitMs;
  }

  close(): void {
    this.#timer.cancel();
    this.#options.outer.removeEventListener("abort", this.#onOuterAbort);
  }

  #check(): void {
    const { clock, kind, onExpired } = this.#options;
    const limitMs = this.#limitMs;
    const leftMs = this.#lastMs + limitMs - clock.monotonic();
    if (leftMs > 0) {
      this.#timer = clock.startTimer(leftMs, () => this.#check(), { background: true });
      return;
    }
    this.expired = true;
    const what = `Cannot read ${kind.kind} objects: the server sent nothing for ${limitMs / 1_000} s`;
    const silence = new OperatorError("TRANSPORT_FAILED", what);
    onExpired?.(silence);
    this.#abort.abort(silence);
  }
}
