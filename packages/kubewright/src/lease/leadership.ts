import { setMaxListeners } from "node:events";
import type { Clock, Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { LeaseHold } from "./lease-hold.js";

/** Options of {@link Leadership}. */
export interface LeadershipOptions {
  readonly hold: LeaseHold;
  /** The clock of the deadline of `hold`. */
  readonly clock: Clock;
  /** "namespace/name" of the Lease, for messages. */
  readonly lease: string;
}

/**
 * Whether this process is the leader.
 *
 * Only the deadline decides, at the moment of the call: neither a late timer nor a lost message can extend leadership.
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
    // One listener for each request in flight is not a leak.
    setMaxListeners(0, this.#lost.signal);
    this.#acquired = new Promise((resolve, reject) => {
      this.#resolveAcquired = resolve;
      this.#rejectAcquired = reject;
    });
    // A caller that does not await it need not handle its rejection.
    this.#acquired.catch(() => {});
  }

  /** Resolves when this process becomes the leader; rejects if the election stops before. */
  get acquired(): Promise<void> {
    return this.#acquired;
  }

  /** Aborts when the lease is lost, with the reason as an error. Does not abort on release. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Whether this process is the leader now. */
  get leading(): boolean {
    const { hold, clock } = this.#options;
    return this.#state === "leading" && hold.deadlineMs !== undefined && clock.monotonic() < hold.deadlineMs;
  }

  /** Marks the lease as lost if the deadline has passed and its timer has not fired yet. */
  checkDeadline(): void {
    if (this.#state === "leading" && !this.leading) this.lose("it could not be renewed in time");
  }

  /** Throws unless this process is the leader now. */
  assertLeading(): void {
    if (this.leading) return;
    this.checkDeadline();
    if (this.#lost.signal.aborted) throw this.#lost.signal.reason;
    throw this.#error(this.#state === "waiting" ? "this process is not the leader yet" : "the lease was released");
  }

  /** The lease is held: starts the deadline timer. */
  markAcquired(): void {
    if (this.#state !== "waiting") return;
    this.#state = "leading";
    this.#watch();
    if (this.leading) this.#resolveAcquired();
  }

  /** The lease is lost. Final: it is not acquired again. */
  lose(why: string): void {
    if (this.#state === "ended") return;
    this.#end();
    const error = this.#error(`the lease is lost: ${why}`, "LEASE_LOST");
    this.#rejectAcquired(error);
    this.#lost.abort(error);
  }

  /** Stops leading without a loss: all work has stopped. */
  resign(): void {
    if (this.#state === "ended") return;
    this.#end();
    this.#rejectAcquired(this.#error("the operator is stopping"));
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
    return new OperatorError(code, `Cannot act as leader with Lease "${this.#options.lease}": ${why}`);
  }
}
