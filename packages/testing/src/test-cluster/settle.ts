import { OperatorError } from "@kubewright/core/errors";
import type { RunLog } from "./run-log.js";
import type { MovableClock } from "./skipping-clock.js";

/** What to settle, and for how long. */
export interface SettleSubject {
  readonly clock: MovableClock;
  /** Descriptions of pending work; empty when settled. */
  readonly busy: () => readonly string[];
  /** Counter of requests, events and stages; unchanged means idle. */
  readonly activity: () => number;
  /** Real time without activity after which the subject counts as settled. 0 where `busy` covers all work. */
  readonly quietMs: number;
  /** Timeout in real time, for each {@link windowMs} by which the clock is advanced. */
  readonly patienceMs: number;
  /** Whether a request was denied: settling rejects at once. */
  readonly isDenied: () => boolean;
  /** The runs of the operator. */
  readonly runs: RunLog;
  /** Maximum number of runs of one object, for each {@link windowMs} by which the clock is advanced. */
  readonly maxRuns: number;
}

/** The limits start again after the clock was advanced by this. */
const windowMs = 10_000;

/**
 * Resolves when no work is pending and every timer due within `horizonMs` has fired.
 *
 * Rejects with NOT_SETTLED and the pending work after the timeout, or with the loop as soon as an object is reconciled too often.
 */
export function settle(subject: SettleSubject, horizonMs: number): Promise<void> {
  return new Settling(subject).settle(horizonMs);
}

/** Advances the clock by `ms`, and settles after each timer that fires. */
export function advance(subject: SettleSubject, ms: number): Promise<void> {
  return new Settling(subject).advance(ms);
}

/** Idle turns of the event loop that count as settled: a watch event passes two microtask queues. */
const idleTurns = 3;

/** One call of {@link settle} or {@link advance}. */
class Settling {
  readonly #subject: SettleSubject;
  #deadlineMs = 0;
  /** Since the limits started. */
  #advancedMs = 0;

  constructor(subject: SettleSubject) {
    this.#subject = subject;
    this.#startLimits();
  }

  async settle(horizonMs: number): Promise<void> {
    const { clock } = this.#subject;
    await this.#becomeIdle();
    const untilMs = clock.monotonic() + horizonMs;
    for (
      let nextMs = clock.nextTimerInMs;
      nextMs !== undefined && clock.monotonic() + nextMs <= untilMs;
      nextMs = clock.nextTimerInMs
    ) {
      this.#advanceClock(nextMs);
      await this.#becomeIdle();
    }
  }

  async advance(ms: number): Promise<void> {
    const { clock } = this.#subject;
    const untilMs = clock.monotonic() + ms;
    await this.settle(ms);
    this.#advanceClock(Math.max(0, untilMs - clock.monotonic()));
    await this.#becomeIdle();
  }

  #startLimits(): void {
    this.#advancedMs = 0;
    this.#deadlineMs = performance.now() + this.#subject.patienceMs;
    this.#subject.runs.restart();
  }

  #advanceClock(ms: number): void {
    this.#advancedMs += ms;
    if (this.#advancedMs >= windowMs) this.#startLimits();
    this.#subject.clock.advance(ms);
  }

  async #becomeIdle(): Promise<void> {
    const { busy, activity, quietMs, patienceMs, isDenied, runs, maxRuns } = this.#subject;
    let turns = 0;
    while (turns < idleTurns) {
      const before = activity();
      await (quietMs === 0 ? nextTurn() : realDelay(quietMs));
      if (isDenied()) throw notSettled("Cannot settle: a request of the operator was forbidden", undefined);
      if (runs.mostRuns > maxRuns) throw notSettled(this.#neverRests(), runs.describeLoop());
      const isIdle = busy().length === 0 && activity() === before;
      turns = isIdle ? turns + (quietMs === 0 ? 1 : idleTurns) : 0;
      if (isIdle || performance.now() <= this.#deadlineMs) continue;
      const pending = busy().join("; ") || "activity continues, with pauses";
      throw notSettled(`Cannot settle within ${patienceMs / 1_000} s of real time: ${pending}`, runs.describeLoop());
    }
  }

  #neverRests(): string {
    const { maxRuns } = this.#subject;
    const often = `more than ${maxRuns} times while the clock advanced by ${this.#advancedMs / 1_000} s`;
    return `Cannot settle: a controller never rests, an object was reconciled ${often}`;
  }
}

function notSettled(problem: string, loop: string | undefined): OperatorError {
  return new OperatorError("NOT_SETTLED", loop === undefined ? problem : `${problem}\n${loop}`);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function realDelay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
