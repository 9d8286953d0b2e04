import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { AnyKind } from "../definition/index.js";

/**
 * Ends a request in which nothing happens: a connection can be dead without either side knowing.
 *
 * A server that sends bookmarks is heard about once a minute, so silence is a sign.
 */
export class InactivityGuard {
  readonly #clock: Clock;
  readonly #outer: AbortSignal;
  readonly #limitMs: number;
  readonly #kind: AnyKind;
  readonly #abort = new AbortController();
  readonly #onOuterAbort = () => this.#abort.abort(this.#outer.reason);
  #timer: { cancel(): void };
  #lastMs: number;
  /** Whether it was silence that ended the request. */
  expired = false;

  constructor(clock: Clock, outer: AbortSignal, limitMs: number, kind: AnyKind) {
    this.#clock = clock;
    this.#outer = outer;
    this.#limitMs = limitMs;
    this.#kind = kind;
    this.#lastMs = clock.monotonic();
    this.#timer = clock.startTimer(limitMs, () => this.#check());
    if (outer.aborted) this.#onOuterAbort();
    else outer.addEventListener("abort", this.#onOuterAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Something arrived. Cheap, as it is called for each event: the timer is moved only when it fires. */
  touch(): void {
    this.#lastMs = this.#clock.monotonic();
  }

  close(): void {
    this.#timer.cancel();
    this.#outer.removeEventListener("abort", this.#onOuterAbort);
  }

  #check(): void {
    const leftMs = this.#lastMs + this.#limitMs - this.#clock.monotonic();
    if (leftMs > 0) {
      this.#timer = this.#clock.startTimer(leftMs, () => this.#check());
      return;
    }
    this.expired = true;
    const what = `Cannot go on reading ${this.#kind.kind} objects: nothing arrived for ${this.#limitMs / 1_000} s`;
    this.#abort.abort(new OperatorError("TRANSPORT_FAILED", what));
  }
}
