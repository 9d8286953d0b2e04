import type { Clock } from "@kubewright/core/clock";
import { RecentMap } from "./recent-map.js";

/** So many events that differ only in their note are aggregated. */
const maxSimilar = 10;
/** The longest gap between similar events of one group. */
const similarMs = 10 * 60_000;
/** How many events of all objects are remembered, at least; at most twice as many. */
const maxEvents = 4_096;
/** How many groups of similar events are tracked per object. */
const maxGroups = 32;
/** The token bucket of one object: 25 events, then one per five minutes, as in client-go. */
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

/** Identical events: one event with a count. The recorder keeps the count. */
export interface EventSeries {
  /** The note of a new event. */
  note: string;
  /** The event's name; "" until it is written. */
  name: string;
  count: number;
  lastMs: number;
}

/** Events that differ only in their note. */
interface Group {
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  /** One for each note, the oldest first; fewer than {@link maxSimilar}. */
  notes: EventSeries[];
  combined: EventSeries | undefined;
  lastMs: number;
}

interface ObjectEvents {
  readonly groups: Group[];
  tokens: number;
  sinceMs: number;
}

/**
 * Aggregates and rate-limits events with client-go's parameters.
 *
 * Events that differ only in their note are aggregated from the tenth note within ten minutes on: a note with a counter or a time in it makes one
 * event, not thousands. An object may record a burst of 25 events, then one per five minutes. The objects whose last event is the oldest are forgotten,
 * so that memory is bounded however many objects, reasons and notes there are.
 */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #objects = new RecentMap<ObjectEvents>(maxEvents, weightOf);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The series of the event, with the note to write; undefined when the object exceeds its rate limit. */
  correlate(event: CorrelatedEvent): EventSeries | undefined {
    const nowMs = this.#clock.monotonic();
    let known = this.#objects.get(event.object);
    if (known === undefined) {
      known = { groups: [], tokens: burst, sinceMs: nowMs };
      this.#objects.set(event.object, known);
    }
    const before = weightOf(known);
    const series = seriesOf(groupOf(known, event, nowMs), event.note, nowMs);
    this.#objects.grew(Math.max(0, weightOf(known) - before));
    return spend(known, nowMs) ? series : undefined;
  }
}

/** An object counts as one event even without any. */
function weightOf({ groups }: ObjectEvents): number {
  return groups.reduce((sum, { notes, combined }) => sum + notes.length + (combined === undefined ? 0 : 1), 1);
}

function groupOf({ groups }: ObjectEvents, { type, reason, action }: CorrelatedEvent, nowMs: number): Group {
  for (const group of groups)
    if (group.reason === reason && group.type === type && group.action === action) return group;
  const made: Group = { type, reason, action, notes: [], combined: undefined, lastMs: nowMs };
  if (groups.length >= maxGroups) groups.shift();
  groups.push(made);
  return made;
}

function seriesOf(group: Group, note: string, nowMs: number): EventSeries {
  if (nowMs - group.lastMs > similarMs) group.notes = [];
  group.lastMs = nowMs;
  for (const series of group.notes) if (series.note === note) return series;
  const made = newSeries(note);
  group.notes.push(made);
  if (group.notes.length < maxSimilar) return made;
  // The next one that differs is the tenth again; more need not be remembered.
  group.notes.shift();
  const combined = group.combined ?? newSeries("");
  group.combined = combined;
  combined.note = `(combined from similar events): ${note}`;
  return combined;
}

function newSeries(note: string): EventSeries {
  return { note, name: "", count: 0, lastMs: 0 };
}

function spend(object: ObjectEvents, nowMs: number): boolean {
  const refilled = Math.floor((nowMs - object.sinceMs) / refillMs);
  if (refilled > 0) {
    object.tokens = Math.min(burst, object.tokens + refilled);
    object.sinceMs += refilled * refillMs;
  }
  if (object.tokens === 0) return false;
  object.tokens -= 1;
  return true;
}
