import { OperatorError } from "@kubewright/core/errors";
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
  /** Timeout in real time. */
  readonly patienceMs: number;
}

/**
 * Resolves when no work is pending and every timer due within `horizonMs` has fired.
 *
 * Rejects with NOT_SETTLED and the pending work after the timeout.
 */
export async function settle(subject: SettleSubject, horizonMs: number): Promise<void> {
  const { clock } = subject;
  await becomeIdle(subject);
  const untilMs = clock.monotonic() + horizonMs;
  for (
    let nextMs = clock.nextTimerInMs;
    nextMs !== undefined && clock.monotonic() + nextMs <= untilMs;
    nextMs = clock.nextTimerInMs
  ) {
    clock.advance(nextMs);
    await becomeIdle(subject);
  }
}

/** Advances the clock by `ms`, and settles after each timer that fires. */
export async function advance(subject: SettleSubject, ms: number): Promise<void> {
  const { clock } = subject;
  const untilMs = clock.monotonic() + ms;
  await settle(subject, ms);
  clock.advance(Math.max(0, untilMs - clock.monotonic()));
  await becomeIdle(subject);
}

/** Idle turns of the event loop that count as settled: a watch event passes two microtask queues. */
const idleTurns = 3;

async function becomeIdle({ busy, activity, quietMs, patienceMs }: SettleSubject): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  let turns = 0;
  while (turns < idleTurns) {
    const before = activity();
    await (quietMs === 0 ? nextTurn() : realDelay(quietMs));
    const isIdle = busy().length === 0 && activity() === before;
    turns = isIdle ? turns + (quietMs === 0 ? 1 : idleTurns) : 0;
    if (!isIdle && performance.now() > deadlineMs) throw notSettled(busy(), patienceMs);
  }
}

function notSettled(busy: readonly string[], patienceMs: number): OperatorError {
  const what = busy.length > 0 ? busy.join("; ") : "activity continues, with pauses";
  return new OperatorError("NOT_SETTLED", `Cannot settle within ${patienceMs / 1_000} s of real time: ${what}`);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function realDelay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
