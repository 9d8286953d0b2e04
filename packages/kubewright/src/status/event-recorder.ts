import type { Clock } from "@kubewright/core/clock";
import { isNotFound } from "@kubewright/core/errors";
import { formatKey, keyOf, type ObjectMeta } from "@kubewright/core/identity";
import { type Logger, silentLogger } from "@kubewright/core/log";
import { formatMicroTime } from "@kubewright/core/meta";
import { apiVersionOf, type Client, objectMeta, type StageListener, type WriteOptions } from "../client/index.js";
import { type AnyKind, besides, defineKind, type ReadMeta, type ReadOf } from "../definition/index.js";
import { EventCorrelator, type EventSeries } from "./event-correlator.js";
import { eventName } from "./event-name.js";

/** `Warning` for what went wrong. */
export type EventType = "Normal" | "Warning";

/** What happened to an object. */
export interface RecordedEvent {
  readonly type: EventType;
  /** One CamelCase word. */
  readonly reason: string;
  readonly note: string;
  /** The action that was taken. @default "Reconcile" */
  readonly action?: string;
  /** A secondary object. */
  readonly related?: RelatedObject;
}

/** The secondary object of an event. */
export interface RelatedObject {
  readonly kind: AnyKind;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid?: string };
}

/** The source of the events. */
export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** The name of the controller. */
  readonly controller: string;
  /** The instance of the controller. */
  readonly instance: string;
  readonly logger?: Logger;
  readonly onStage?: StageListener;
  /** Aborts when nothing may be written any more. */
  readonly signal?: AbortSignal;
  /** Called for each event that is dropped because the server is slow. */
  readonly dropped?: () => void;
}

interface EventObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid?: string;
  namespace?: string;
  resourceVersion?: string;
}

interface EventFields {
  eventTime: string;
  type: string;
  reason: string;
  action: string;
  note: string;
  regarding: EventObject;
  related?: EventObject;
  reportingController: string;
  reportingInstance: string;
  series?: { count: number; lastObservedTime: string };
}

interface NewEvent extends EventFields {
  apiVersion: string;
  kind: string;
  metadata: { namespace: string; name: string };
}

/** The handle of `events.k8s.io/v1` events, with what the recorder writes. */
const Event = defineKind<
  "events.k8s.io/v1/Event",
  "Namespaced",
  { read: { metadata: ReadMeta } & EventFields; write: EventFields; status: never; conditions: never }
>({ group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" });

/** A repeat within this time increments the count of the series; a later one is a new event. */
const seriesMs = 6 * 60_000;
/** The server rejects longer notes, counted in bytes. */
const maxNoteBytes = 1_024;

/** Events that wait to be written; more are dropped, as in client-go. */
const maxPending = 1_000;

/** An event that waits to be written. */
interface PendingEvent {
  readonly kind: AnyKind;
  readonly metadata: ObjectMeta;
  readonly event: RecordedEvent;
  readonly series: EventSeries;
  /** The note of the series at that time. */
  readonly note: string;
  readonly atMs: number;
}

/**
 * Records events about objects as `events.k8s.io/v1`. Recording never fails or delays a run: events are
 * written beside it, one after the other; what cannot be written is logged; beyond 1,000 that wait, events are dropped and counted.
 *
 * Identical events within six minutes become one with a count. Events that differ in their note alone are aggregated from the tenth on, and
 * an object that records more than 25 is limited to one per five minutes: see {@link EventCorrelator}.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #log: Logger;
  readonly #correlator: EventCorrelator;
  readonly #instance: string;
  readonly #pending: PendingEvent[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#correlator = new EventCorrelator(options.clock);
    this.#log = options.logger ?? silentLogger;
    this.#instance = options.instance.slice(0, 128);
  }

  /** How many events wait to be written. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Resolves when no event waits. */
  whenWritten(): Promise<void> {
    return this.#writing;
  }

  /** Records an event about `object`, which is written later. Never throws. */
  record(kind: AnyKind, object: ReadOf<AnyKind>, event: RecordedEvent): void {
    const { clock, onStage, signal } = this.#options;
    if (signal?.aborted) return;
    const metadata = objectMeta(object);
    const { uid = kind.id } = metadata;
    const { type, reason, action = "Reconcile", related } = event;
    // The correlator remembers it.
    const note = cut(event.note);
    const what = related === undefined ? action : `${action} ${related.kind.id} ${formatKey(keyOf(related))}`;
    const series = this.#correlator.correlate({ object: uid, type, reason, action: what, note });
    if (series === undefined) {
      this.#log.debug(
        { kind: kind.id, name: metadata.name, reason },
        "Event dropped, the object exceeds its rate limit",
      );
      return;
    }
    if (this.#pending.length >= maxPending) {
      this.#log.debug({ kind: kind.id, name: metadata.name, reason }, "Event dropped, too many wait to be written");
      this.#options.dropped?.();
      return;
    }
    onStage?.("status", { kind: kind.id, key: formatKey(keyOf({ metadata })), what: "event" });
    this.#pending.push({ kind, metadata, event, series, note: series.note, atMs: clock.now() });
    if (this.#pending.length === 1) this.#writing = this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    // An event leaves the queue when it is written, so that the queue is not empty before.
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      await this.#write(next);
      this.#pending.shift();
    }
  }

  async #write({ kind, metadata, event, series, note, atMs }: PendingEvent): Promise<void> {
    const { client, controller, signal } = this.#options;
    if (signal?.aborted) return;
    const options = { fieldManager: controller, timeout: "30s" as const, ...(signal && { signal }) };
    try {
      const isRepeat = series.name !== "" && atMs - series.lastMs < seriesMs;
      series.lastMs = atMs;
      if (isRepeat && (await this.#countUp(kind, metadata, series, options))) return;
      await client.create(besides(kind, Event), this.#newEvent(kind, metadata, { ...event, note }, series), options);
    } catch (error) {
      if (signal?.aborted) return;
      this.#log.warn(
        { err: error, kind: kind.id, name: metadata.name, reason: event.reason },
        "Cannot record the event",
      );
    }
  }

  /** Increments the count of the series on the server. Returns false when the server no longer has the event. */
  async #countUp(
    kind: AnyKind,
    { namespace = "default" }: ObjectMeta,
    series: EventSeries,
    options: WriteOptions,
  ): Promise<boolean> {
    series.count += 1;
    const merge = { series: { count: series.count, lastObservedTime: formatMicroTime(series.lastMs) } };
    try {
      await this.#options.client.patch(besides(kind, Event), { namespace, name: series.name }, { merge }, options);
      return true;
    } catch (error) {
      // The server deletes events after their TTL; then this one starts a new series.
      if (!isNotFound(error)) throw error;
      return false;
    }
  }

  /** The first event of a series; the series takes its name. */
  #newEvent(
    kind: AnyKind,
    metadata: ObjectMeta,
    { type, reason, note, action = "Reconcile", related }: RecordedEvent,
    series: EventSeries,
  ): NewEvent {
    const { random, controller } = this.#options;
    const { name, namespace = "default", resourceVersion } = metadata;
    series.name = eventName(name, series.lastMs, random);
    series.count = 1;
    const regarding = reference(kind, metadata);
    if (resourceVersion !== undefined) regarding.resourceVersion = resourceVersion;
    const written: NewEvent = {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { namespace, name: series.name },
      eventTime: formatMicroTime(series.lastMs),
      type,
      reason,
      action,
      note: cut(note),
      regarding,
      reportingController: controller,
      reportingInstance: this.#instance,
    };
    if (related !== undefined) written.related = reference(related.kind, related.metadata);
    return written;
  }
}

function reference(kind: AnyKind, { name, namespace, uid }: RelatedObject["metadata"]): EventObject {
  const object: EventObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, name };
  if (uid !== undefined) object.uid = uid;
  if (namespace !== undefined) object.namespace = namespace;
  return object;
}

/** The note, truncated at a character boundary. */
function cut(note: string): string {
  // A character takes three bytes at most, two of them four.
  if (note.length * 3 <= maxNoteBytes) return note;
  const bytes = new TextEncoder().encode(note);
  if (bytes.length <= maxNoteBytes) return note;
  const kept = new TextDecoder().decode(bytes.subarray(0, maxNoteBytes - 3));
  return `${kept.replace(/\uFFFD$/, "")}…`;
}
