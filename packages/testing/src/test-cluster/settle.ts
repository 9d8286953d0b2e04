import { OperatorError } from "@kubewright/core/errors";
import type { MovableClock } from "./skipping-clock.js";

/** What is waited for, and how. */
export interface SettleSubject {
  readonly clock: MovableClock;
  /** What is still under way, in words; empty at rest. */
  readonly busy: () => readonly string[];
  /** Grows with everything that happens, so that one can see that nothing did. */
  readonly activity: () => number;
  /** How long nothing may happen, in real time, until it counts as rest. 0 where `busy` knows everything. */
  readonly quietMs: number;
  /** How long to wait in real time before giving up. */
  readonly patienceMs: number;
}

/**
 * Resolves at rest: nothing is under way, and every timer due within `horizonMs` has fired.
 *
 * Rejects with NOT_SETTLED, and names what is still busy, when that does not come within the patience.
 */
export async function settle(subject: SettleSubject, horizonMs: number): Promise<void> {
  const { clock } = subject;
  await rest(subject);
  const untilMs = clock.monotonic() + horizonMs;
  for (
    let nextMs = clock.nextTimerInMs;
    nextMs !== undefined && clock.monotonic() + nextMs <= untilMs;
    nextMs = clock.nextTimerInMs
  ) {
    clock.advance(nextMs);
    await rest(subject);
  }
}

/** Moves time on by `ms`, and comes to rest after each timer on the way. */
export async function advance(subject: SettleSubject, ms: number): Promise<void> {
  const { clock } = subject;
  const untilMs = clock.monotonic() + ms;
  await settle(subject, ms);
  clock.advance(Math.max(0, untilMs - clock.monotonic()));
  await rest(subject);
}

/** Turns of the event loop after which what was passed on has arrived: a watch event goes through two queues of promises. */
const turnsOfRest = 3;

async function rest({ busy, activity, quietMs, patienceMs }: SettleSubject): Promise<void> {
  const giveUpMs = performance.now() + patienceMs;
  let calmTurns = 0;
  while (calmTurns < turnsOfRest) {
    const before = activity();
    await (quietMs === 0 ? nextTurn() : realDelay(quietMs));
    const isCalm = busy().length === 0 && activity() === before;
    calmTurns = isCalm ? calmTurns + (quietMs === 0 ? 1 : turnsOfRest) : 0;
    if (!isCalm && performance.now() > giveUpMs) throw notSettled(busy(), patienceMs);
  }
}

function notSettled(busy: readonly string[], patienceMs: number): OperatorError {
  const what = busy.length > 0 ? busy.join("; ") : "something happens again and again, with pauses in between";
  return new OperatorError("NOT_SETTLED", `Cannot settle within ${patienceMs / 1_000} s of real time: ${what}`);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function realDelay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
