import { sleep } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import { JoinedSignal } from "../transport/index.js";
import { LeaseContender, type LeaseContenderOptions } from "./lease-contender.js";
import type { LeaseHold } from "./lease-hold.js";
import { jitteredRetryPeriodMs } from "./lease-timing.js";

/** Options of {@link LeaseLoop}. */
export interface LeaseLoopOptions extends LeaseContenderOptions {
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly hold: LeaseHold;
  readonly logger: Logger;
  /** Called once, when the lease is acquired. */
  readonly onAcquired: () => void;
  /** Whether the main thread is alive; while it is not, the lease is neither acquired nor renewed. */
  readonly isAlive: () => boolean;
}

/** Why a lease is no longer renewed. */
export type LeaseEnd = { readonly kind: "lost"; readonly why: string } | { readonly kind: "stopped" };

/**
 * Acquires a lease and renews it, and extends the deadline of the hold with each renewal.
 *
 * It stops when the lease is lost and never restarts: all work under the old lease must have stopped before a new term starts.
 */
export class LeaseLoop {
  readonly #options: LeaseLoopOptions;
  readonly #contender: LeaseContender;

  constructor(options: LeaseLoopOptions) {
    this.#options = options;
    this.#contender = new LeaseContender(options);
  }

  /** Resolves when the lease is lost, with the hold closed, or when the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<LeaseEnd> {
    const acquired = await this.#acquire(signal);
    if (!acquired) return { kind: "stopped" };
    this.#options.onAcquired();
    const why = await this.#renew(signal);
    if (why === undefined) return { kind: "stopped" };
    this.#options.hold.close();
    return { kind: "lost", why };
  }

  /** Releases the lease if it is held, within the renew deadline. The caller must have closed the hold. Never rejects. */
  async release(): Promise<void> {
    const { clock, timing, logger } = this.#options;
    const late = new AbortController();
    const timer = clock.startTimer(timing.renewDeadlineMs, () => late.abort(new Error("the release timed out")));
    try {
      await this.#contender.release(late.signal);
    } catch (err) {
      logger.warn({ err }, "Cannot release the Lease, it will expire");
    } finally {
      timer.cancel();
    }
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { clock, hold, timing, random, logger, isAlive } = this.#options;
    let loggedHolder: string | undefined;
    while (!signal.aborted) {
      try {
        if (isAlive()) {
          const attempt = await this.#contender.attempt(signal);
          if (attempt.kind === "held" && clock.monotonic() < attempt.deadlineMs) {
            hold.extend(attempt.deadlineMs);
            return !signal.aborted;
          }
          if (attempt.kind === "other" && attempt.holder !== loggedHolder) {
            loggedHolder = attempt.holder;
            logger.info({ holder: loggedHolder }, "Lease is held by another process, waiting");
          }
        }
      } catch (err) {
        if (!signal.aborted) logger.warn({ err }, "Cannot acquire the Lease, will retry");
      }
      await sleep(clock, jitteredRetryPeriodMs(timing, random()), signal);
    }
    return false;
  }

  /** Returns why the lease was lost; undefined if the signal aborted. */
  async #renew(signal: AbortSignal): Promise<string | undefined> {
    const { clock, hold, timing, logger, isAlive } = this.#options;
    let failure = "it could not be renewed in time";
    for (;;) {
      const leftMs = (hold.deadlineMs ?? 0) - clock.monotonic();
      await sleep(clock, Math.min(timing.retryPeriodMs, Math.max(0, leftMs)), signal);
      if (signal.aborted) return undefined;
      // After a long pause another process may have led: even a successful renewal would be a new term.
      if (hold.deadlineMs === undefined || clock.monotonic() >= hold.deadlineMs) return failure;
      if (!isAlive()) {
        failure = "the main thread was blocked for too long";
        continue;
      }
      using joined = new JoinedSignal(signal);
      const timer = clock.startTimer(hold.deadlineMs - clock.monotonic(), () =>
        joined.abort(new Error("the renew deadline has passed")),
      );
      try {
        const attempt = await this.#contender.attempt(joined.signal);
        if (attempt.kind === "other") return `"${attempt.holder}" holds it`;
        if (clock.monotonic() < (hold.deadlineMs ?? 0)) hold.extend(attempt.deadlineMs);
        failure = "it could not be renewed in time";
      } catch (err) {
        if (signal.aborted) return undefined;
        failure = `it could not be renewed in time: ${err instanceof Error ? err.message : String(err)}`;
        logger.warn({ err }, "Cannot renew the Lease, will retry");
      } finally {
        timer.cancel();
      }
    }
  }
}
