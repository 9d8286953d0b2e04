import { type JsonObject, setOwn } from "@kubewright/core/json";
import type { Event as CoreEvent } from "kubewright/k8s/core/v1";
import type { Event as GroupEvent } from "kubewright/k8s/events/v1";
import type { Decoded, Drafted } from "../../decoded.js";
import type { Draft } from "../../draft.js";

type Nullable<T, Key extends keyof T> = Omit<T, Key> & { readonly [Time in Key]?: T[Time] | null };

/** Event of `core/v1` in its stored form: an unset time is null. */
export type StoredEvent = Nullable<CoreEvent, "eventTime" | "firstTimestamp" | "lastTimestamp">;

/** Event of `events.k8s.io/v1`, converted from its stored form. */
export type ConvertedEvent = Nullable<GroupEvent, "eventTime" | "deprecatedFirstTimestamp" | "deprecatedLastTimestamp">;

/** The field names that differ between `core/v1` and `events.k8s.io/v1`. */
const renamed: readonly (readonly [core: keyof CoreEvent, events: keyof GroupEvent])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
];

/** Converts a stored Event (`core/v1`) to `events.k8s.io/v1`. */
export function eventFromCore(stored: JsonObject): JsonObject {
  const result: Drafted<ConvertedEvent> = renameFields(stored, eventsNames);
  result.apiVersion = "events.k8s.io/v1";
  if (result.reportingController === "") delete result.reportingController;
  if (result.reportingInstance === "") delete result.reportingInstance;
  return result;
}

/** The inverse of {@link eventFromCore}. */
export function eventToCore(event: JsonObject): Decoded<StoredEvent> {
  const result: Drafted<StoredEvent> = renameFields(event, coreNames);
  result.apiVersion = "v1";
  completeEvent(result);
  return result;
}

const eventsNames: ReadonlyMap<string, string> = new Map(renamed);
const coreNames: ReadonlyMap<string, string> = new Map(renamed.map(([core, events]) => [events, core]));

function renameFields(event: JsonObject, names: ReadonlyMap<string, string>): Draft {
  const result: Draft = {};
  for (const key of Object.keys(event)) setOwn(result, names.get(key) ?? key, event[key] as Draft[string]);
  return result;
}

/** Sets the fields that a stored Event always has. */
export function completeEvent(draft: Drafted<StoredEvent>): void {
  draft.eventTime ??= null;
  draft.firstTimestamp ??= null;
  draft.lastTimestamp ??= null;
  draft.reportingComponent ??= "";
  draft.reportingInstance ??= "";
  draft.source ??= {};
  draft.involvedObject ??= {};
}
