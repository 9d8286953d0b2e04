import { sleep } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import { JoinedSignal } from "./joined-signal.js";
import { LeaseContender, type LeaseContenderOptions } from "./lease-contender.js";
import type { LeaseHold } from "./lease-hold.js";
import { jitteredPauseMs } from "./lease-timing.js";

/** What keeps a lease. */
export interface LeaseLoopOptions extends LeaseContenderOptions {
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly hold: LeaseHold;
  readonly logger: Logger;
  /** Is called once, when the lease is held. */
  readonly onAcquired: () => void;
  /** Whether whoever leads is alive; while it is not, nothing is taken or renewed. */
  readonly isAlive: () => boolean;
}

/** Why a lease is kept no more. */
export type LeaseEnd = { readonly kind: "lost"; readonly why: string } | { readonly kind: "stopped" };

/**
 * Takes a lease and renews it, and moves the deadline of the hold with each renewal.
 *
 * It ends when the lease is lost and never begins again: what was led under the old lease must be gone before anything is led anew.
 */
export class LeaseLoop {
  readonly #options: LeaseLoopOptions;
  readonly #contender: LeaseContender;

  constructor(options: LeaseLoopOptions) {
    this.#options = options;
    this.#contender = new LeaseContender(options);
  }

  /** Resolves when the lease was lost, or the signal aborted; the hold is closed in the first case. Never rejects. */
  async run(signal: AbortSignal): Promise<LeaseEnd> {
    const acquired = await this.#acquire(signal);
    if (!acquired) return { kind: "stopped" };
    this.#options.onAcquired();
    const why = await this.#renew(signal);
    if (why === undefined) return { kind: "stopped" };
    this.#options.hold.close();
    return { kind: "lost", why };
  }

  /** Gives the lease back, when it is held, within the renew deadline. Whoever calls it has closed the hold. Never rejects. */
  async release(): Promise<void> {
    const { clock, timing, logger } = this.#options;
    const late = new AbortController();
    const timer = clock.startTimer(timing.renewDeadlineMs, () => late.abort(new Error("it takes too long")));
    try {
      await this.#contender.release(late.signal);
    } catch (err) {
      logger.warn({ err }, "Lease could not be given back, it will expire");
    } finally {
      timer.cancel();
    }
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { clock, hold, timing, random, logger, isAlive } = this.#options;
    let shownHolder: string | undefined;
    while (!signal.aborted) {
      try {
        if (isAlive()) {
          const attempt = await this.#contender.attempt(signal);
          if (attempt.kind === "held" && clock.monotonic() < attempt.deadlineMs) {
            hold.extend(attempt.deadlineMs);
            return !signal.aborted;
          }
          if (attempt.kind === "other" && attempt.holder !== shownHolder) {
            shownHolder = attempt.holder;
            logger.info({ holder: shownHolder }, "Lease is held by another, waiting");
          }
        }
      } catch (err) {
        if (!signal.aborted) logger.warn({ err }, "Lease could not be taken, will retry");
      }
      await sleep(clock, jitteredPauseMs(timing, random()), signal);
    }
    return false;
  }

  /** Gives the reason when the lease is lost; undefined when the signal aborted. */
  async #renew(signal: AbortSignal): Promise<string | undefined> {
    const { clock, hold, timing, logger, isAlive } = this.#options;
    let failure = "it could not be renewed in time";
    for (;;) {
      const leftMs = (hold.deadlineMs ?? 0) - clock.monotonic();
      await sleep(clock, Math.min(timing.retryPeriodMs, Math.max(0, leftMs)), signal);
      if (signal.aborted) return undefined;
      // After a long pause of the whole process others may lead: a renewal now, even a lawful one, would be a second term.
      if (hold.deadlineMs === undefined || clock.monotonic() >= hold.deadlineMs) return failure;
      if (!isAlive()) {
        failure = "the main thread was silent for too long";
        continue;
      }
      using joined = new JoinedSignal(signal);
      const timer = clock.startTimer(hold.deadlineMs - clock.monotonic(), () => joined.abort(new Error("too late")));
      try {
        const attempt = await this.#contender.attempt(joined.signal);
        if (attempt.kind === "other") return `"${attempt.holder}" holds it`;
        if (clock.monotonic() < (hold.deadlineMs ?? 0)) hold.extend(attempt.deadlineMs);
        failure = "it could not be renewed in time";
      } catch (err) {
        if (signal.aborted) return undefined;
        failure = `it could not be renewed in time: ${err instanceof Error ? err.message : String(err)}`;
        logger.warn({ err }, "Lease could not be renewed, will retry");
      } finally {
        timer.cancel();
      }
    }
  }
}
