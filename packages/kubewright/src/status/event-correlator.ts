import type { Clock } from "@kubewright/core/clock";
import { RecentMap } from "./recent-map.js";

/** From so many different notes on, events that differ in their note alone are written as one. */
const maxSimilar = 10;
/** Similar events count together while none is further from the one before than this. */
const similarMs = 10 * 60_000;
/** How many events, groups of similar ones, and objects are remembered. */
export const remembered = 4_096;
/** One object may record so many events at once, and one more per five minutes: a loop must not flood the server. */
const burst = 25;
const refillMs = 5 * 60_000;

/** An event as far as it is compared with others. */
export interface CorrelatedEvent {
  /** Which object it is about. */
  readonly object: string;
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** What to write of an event: events of one identity are one event with a count. */
export interface Correlation {
  readonly identity: string;
  readonly note: string;
}

interface Similar {
  readonly notes: Set<string>;
  lastMs: number;
}

/**
 * Decides which events are the same, and which are too many, by client-go's numbers.
 *
 * Events alike but for their note are combined from the tenth different note within ten minutes on: a note with a counter or a time in it
 * makes one event, not thousands. An object may record 25 events at once and one per five minutes. Memory is bounded.
 */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #similar = new RecentMap<Similar>(remembered);
  readonly #budgets = new RecentMap<{ tokens: number; sinceMs: number }>(remembered);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What to write; undefined when the object records too many events. */
  correlate({ object, type, reason, action, note }: CorrelatedEvent): Correlation | undefined {
    const nowMs = this.#clock.monotonic();
    // Only a note has line breaks in it, and it comes last.
    const group = `${object}\n${type}\n${reason}\n${action}`;
    const combined = this.#isCombined(group, note, nowMs);
    if (!this.#spend(object, nowMs)) return undefined;
    return combined
      ? { identity: group, note: `(combined from similar events): ${note}` }
      : { identity: `${group}\n${note}`, note };
  }

  #isCombined(group: string, note: string, nowMs: number): boolean {
    const known = this.#similar.get(group);
    const similar =
      known !== undefined && nowMs - known.lastMs <= similarMs ? known : { notes: new Set<string>(), lastMs: 0 };
    similar.lastMs = nowMs;
    similar.notes.add(note);
    if (similar !== known) this.#similar.set(group, similar);
    if (similar.notes.size < maxSimilar) return false;
    // The next one that differs is the tenth again; more need not be remembered.
    for (const first of similar.notes) {
      similar.notes.delete(first);
      break;
    }
    return true;
  }

  #spend(object: string, nowMs: number): boolean {
    let budget = this.#budgets.get(object);
    if (budget === undefined) {
      budget = { tokens: burst, sinceMs: nowMs };
      this.#budgets.set(object, budget);
    }
    const refilled = Math.floor((nowMs - budget.sinceMs) / refillMs);
    if (refilled > 0) {
      budget.tokens = Math.min(burst, budget.tokens + refilled);
      budget.sinceMs += refilled * refillMs;
    }
    if (budget.tokens === 0) return false;
    budget.tokens -= 1;
    return true;
  }
}
