import type { Clock, Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { AnyKind } from "../definition/index.js";

/** Which request, and how long it may be silent. */
export interface InactivityOptions {
  readonly clock: Clock;
  /** Ends the request too. */
  readonly outer: AbortSignal;
  readonly limitMs: number;
  /** For the error's text. */
  readonly kind: AnyKind;
  /** Is called in the very turn in which the silence has lasted too long. */
  readonly onExpired?: () => void;
}

/**
 * Ends a request in which nothing happens: a connection can be dead without either side knowing.
 *
 * A server that sends bookmarks is heard about once a minute, so silence is a sign.
 */
export class InactivityGuard {
  readonly #options: InactivityOptions;
  readonly #abort = new AbortController();
  readonly #onOuterAbort = () => this.#abort.abort(this.#options.outer.reason);
  #timer: Timer;
  #lastMs: number;
  #limitMs: number;
  /** Whether it was silence that ended the request. */
  expired = false;

  constructor(options: InactivityOptions) {
    const { clock, outer, limitMs } = options;
    this.#options = options;
    this.#lastMs = clock.monotonic();
    this.#limitMs = limitMs;
    this.#timer = clock.startTimer(limitMs, () => this.#check());
    if (outer.aborted) this.#onOuterAbort();
    else outer.addEventListener("abort", this.#onOuterAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Something arrived. Cheap, as it is called for each event: the timer is moved only when it fires. */
  touch(): void {
    this.#lastMs = this.#options.clock.monotonic();
  }

  /** From now on a silence may be as long as `limitMs`, which is longer than before. */
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
      this.#timer = clock.startTimer(leftMs, () => this.#check());
      return;
    }
    this.expired = true;
    onExpired?.();
    const what = `Cannot go on reading ${kind.kind} objects: nothing arrived for ${limitMs / 1_000} s`;
    this.#abort.abort(new OperatorError("TRANSPORT_FAILED", what));
  }
}
