import type { Clock } from "@kubewright/core/clock";
import { isNotFound } from "@kubewright/core/errors";
import { formatApiVersion, formatKey, keyOf } from "@kubewright/core/identity";
import { type Logger, silentLogger } from "@kubewright/core/log";
import { formatMicroTime } from "@kubewright/core/meta";
import { type Client, objectMeta, type Trace } from "../client/index.js";
import { type AnyKind, besides, defineKind, type ReadMeta, type ReadOf } from "../definition/index.js";
import { type Correlation, EventCorrelator, remembered } from "./event-correlator.js";
import { RecentMap } from "./recent-map.js";

/** Whether something went as it should. */
export type EventType = "Normal" | "Warning";

/** What happened to an object, for people. */
export interface RecordedEvent {
  readonly type: EventType;
  /** One CamelCase word. */
  readonly reason: string;
  readonly note: string;
  /** What was being done. @default "Reconcile" */
  readonly action?: string;
  /** Another object that it has to do with. */
  readonly related?: RelatedObject;
}

/** An object that an event has to do with, beside the one that it is about. */
export interface RelatedObject {
  readonly kind: AnyKind;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid?: string };
}

/** Who records events, and how. */
export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** The name of the controller. */
  readonly controller: string;
  /** The name of this process among those that run the controller. */
  readonly instance: string;
  readonly logger?: Logger;
  readonly trace?: Trace;
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

/** The handle of `events.k8s.io/v1` events, with what the recorder writes. */
const Event = defineKind<
  "events.k8s.io/v1/Event",
  "Namespaced",
  { read: { metadata: ReadMeta } & EventFields; write: EventFields; status: never; conditions: never }
>({ group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" });

/** A repeat within this time counts up the event that is there; a later one is a new event. */
const seriesMs = 6 * 60_000;
/** The server refuses longer notes, counted in bytes. */
const maxNoteBytes = 1_024;
interface Remembered {
  readonly name: string;
  count: number;
  lastMs: number;
}

/**
 * Records events about objects as `events.k8s.io/v1`. Recording never fails a run: what cannot be written is logged.
 *
 * Identical events within six minutes become one with a count. Events that differ in their note alone are combined from the tenth on, and
 * an object that records more than 25 is cut down to one per five minutes: see {@link EventCorrelator}.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #log: Logger;
  readonly #remembered = new RecentMap<Remembered>(remembered);
  readonly #correlator: EventCorrelator;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#correlator = new EventCorrelator(options.clock);
    this.#log = options.logger ?? silentLogger;
  }

  /** Records an event about `object`. Resolves when it is written, dropped or given up; never rejects. */
  async record(kind: AnyKind, object: ReadOf<AnyKind>, event: RecordedEvent, signal?: AbortSignal): Promise<void> {
    const { name, uid = "" } = objectMeta(object);
    const { type, reason, note, action = "Reconcile", related } = event;
    const what = related === undefined ? action : `${action} ${related.kind.id} ${formatKey(keyOf(related))}`;
    const correlation = this.#correlator.correlate({ object: `${kind.id} ${uid}`, type, reason, action: what, note });
    if (correlation === undefined) {
      this.#log.debug({ kind: kind.id, name, reason }, "Event dropped, the object records too many");
      return;
    }
    try {
      await this.#write(kind, object, event, correlation, signal);
    } catch (error) {
      if (!signal?.aborted) this.#log.warn({ err: error, kind: kind.id, name, reason }, "Event could not be recorded");
    }
  }

  async #write(
    kind: AnyKind,
    object: ReadOf<AnyKind>,
    { type, reason, action = "Reconcile", related }: RecordedEvent,
    { identity, note }: Correlation,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { client, clock, random, controller, instance, trace } = this.#options;
    const metadata = objectMeta(object);
    const { name, namespace = "default" } = metadata;
    const nowMs = clock.now();
    const now = formatMicroTime(nowMs);
    const options = signal === undefined ? { fieldManager: controller } : { fieldManager: controller, signal };
    trace?.("status", { kind: kind.id, key: formatKey(keyOf({ metadata })), what: "event" });

    const before = this.#remembered.get(identity);
    if (before !== undefined && nowMs - before.lastMs < seriesMs) {
      before.count += 1;
      before.lastMs = nowMs;
      const series = { count: before.count, lastObservedTime: now };
      try {
        await client.patch(besides(kind, Event), { namespace, name: before.name }, { merge: { series } }, options);
        return;
      } catch (error) {
        // The server forgets events after a while; then this one is the first again.
        if (!isNotFound(error)) throw error;
      }
    }
    const suffix = `${nowMs.toString(16)}${Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0")}`;
    const eventName = `${name.slice(0, 220)}.${suffix}`;
    this.#remembered.set(identity, { name: eventName, count: 1, lastMs: nowMs });
    const regarding = reference(kind, metadata);
    if (metadata.resourceVersion !== undefined) regarding.resourceVersion = metadata.resourceVersion;
    const written = {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { namespace, name: eventName },
      eventTime: now,
      type,
      reason,
      action,
      note: cut(note),
      regarding,
      reportingController: controller,
      reportingInstance: instance.slice(0, 128),
    };
    const whole = related === undefined ? written : { ...written, related: reference(related.kind, related.metadata) };
    await client.create(besides(kind, Event), whole, options);
  }
}

function reference(kind: AnyKind, { name, namespace, uid }: RelatedObject["metadata"]): EventObject {
  const object: EventObject = { apiVersion: formatApiVersion(kind.group, kind.version), kind: kind.kind, name };
  if (uid !== undefined) object.uid = uid;
  if (namespace !== undefined) object.namespace = namespace;
  return object;
}

/** The note, cut between two characters where it is too long. */
function cut(note: string): string {
  // A character takes three bytes at most, two of them four.
  if (note.length * 3 <= maxNoteBytes) return note;
  const bytes = new TextEncoder().encode(note);
  if (bytes.length <= maxNoteBytes) return note;
  const kept = new TextDecoder().decode(bytes.subarray(0, maxNoteBytes - 3));
  return `${kept.replace(/\uFFFD$/, "")}…`;
}
