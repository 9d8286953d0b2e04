import { setMaxListeners } from "node:events";
import type { Clock, Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { LeaseHold } from "./lease-hold.js";

/** Whose leadership is watched. */
export interface LeadershipOptions {
  readonly hold: LeaseHold;
  /** The clock that the deadline of `hold` is by. */
  readonly clock: Clock;
  /** Of the lease, for messages: "namespace/name". */
  readonly lease: string;
}

/**
 * Whether this process leads, asked where the work is done.
 *
 * The deadline alone decides, at the moment of asking: neither a late timer nor a lost message can make it too long.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #lost = new AbortController();
  readonly #acquired: Promise<void>;
  #resolveAcquired: () => void = () => {};
  #rejectAcquired: (error: Error) => void = () => {};
  #state: "waiting" | "leading" | "ended" = "waiting";
  #timer: Timer | undefined;

  constructor(options: LeadershipOptions) {
    this.#options = options;
    // One listener for each request under way is no leak.
    setMaxListeners(0, this.#lost.signal);
    this.#acquired = new Promise((resolve, reject) => {
      this.#resolveAcquired = resolve;
      this.#rejectAcquired = reject;
    });
    // Whoever does not wait for it need not handle that it never came.
    this.#acquired.catch(() => {});
  }

  /** Resolves when this process leads; rejects when it ends before. */
  get acquired(): Promise<void> {
    return this.#acquired;
  }

  /** Aborts when the lease is lost, with the error that says why. Not when it is given back. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Whether this process leads, at this very moment. */
  get leading(): boolean {
    const { hold, clock } = this.#options;
    return this.#state === "leading" && hold.deadlineMs !== undefined && clock.monotonic() < hold.deadlineMs;
  }

  /** Where the deadline has passed and no timer has told yet, the lease is lost by this. */
  notice(): void {
    if (this.#state === "leading" && !this.leading) this.lose("it could not be renewed in time");
  }

  /** Throws unless this process leads at this very moment. */
  assertLeading(): void {
    if (this.leading) return;
    this.notice();
    if (this.#lost.signal.aborted) throw this.#lost.signal.reason;
    throw this.#error(this.#state === "waiting" ? "this process does not lead yet" : "it was given back");
  }

  /** The lease is held: from now on the deadline is watched. */
  begin(): void {
    if (this.#state !== "waiting") return;
    this.#state = "leading";
    this.#watch();
    if (this.leading) this.#resolveAcquired();
  }

  /** The lease is lost, for good. */
  lose(why: string): void {
    if (this.#state === "ended") return;
    this.#end();
    const error = this.#error(`the lease is lost: ${why}`, "LEASE_LOST");
    this.#rejectAcquired(error);
    this.#lost.abort(error);
  }

  /** Stops leading without a loss: the work has ended. */
  resign(): void {
    if (this.#state === "ended") return;
    this.#end();
    this.#rejectAcquired(this.#error("the operator stops"));
  }

  #end(): void {
    this.#state = "ended";
    this.#timer?.cancel();
    this.#options.hold.close();
  }

  #watch(): void {
    const { hold, clock } = this.#options;
    const leftMs = (hold.deadlineMs ?? 0) - clock.monotonic();
    if (leftMs <= 0) this.lose("it could not be renewed in time");
    else this.#timer = clock.startTimer(leftMs, () => this.#watch());
  }

  #error(why: string, code: "LEASE_LOST" | "STOPPED" = "STOPPED"): OperatorError {
    return new OperatorError(code, `Cannot go on under Lease "${this.#options.lease}": ${why}`);
  }
}
