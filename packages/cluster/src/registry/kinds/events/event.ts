import { type JsonObject, setOwn } from "@kubewright/core/json";
import { ageOf } from "../../columns.js";
import { type Draft, isDraft, metadataOf, objectAt, textAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import { checkEvent } from "./check-event.js";

/** The field names that differ between `core/v1` and `events.k8s.io/v1`. */
const renamed: readonly (readonly [core: string, events: string])[] = [
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
  const result = translate(stored, "events", "events.k8s.io/v1");
  for (const key of ["reportingController", "reportingInstance"]) if (result[key] === "") delete result[key];
  return result;
}

/** The inverse of {@link eventFromCore}. */
export function eventToCore(event: JsonObject): JsonObject {
  const result = translate(event, "core", "v1");
  addPrinted(result);
  return result;
}

/** The name of each such field in the other version. */
const newNames = {
  core: new Map(renamed.map(([core, events]) => [events, core])),
  events: new Map(renamed),
};

function translate(event: JsonObject, to: keyof typeof newNames, apiVersion: string): Record<string, Draft[string]> {
  const result: Draft = {};
  const names = newNames[to];
  for (const key of Object.keys(event)) setOwn(result, names.get(key) ?? key, event[key] as Draft[string]);
  result["apiVersion"] = apiVersion;
  return result;
}

function addPrinted(draft: Draft): void {
  for (const key of ["eventTime", "firstTimestamp", "lastTimestamp"]) draft[key] ??= null;
  for (const key of ["reportingComponent", "reportingInstance"]) draft[key] ??= "";
  for (const key of ["source", "involvedObject"]) if (!isDraft(draft[key])) draft[key] = {};
}

const columns: readonly Column[] = [
  { name: "Last Seen", type: "string", cell: (event, nowMs) => ageOf(lastSeen(event), nowMs) },
  { name: "Type", type: "string", cell: (event) => textAt(event, "type") },
  { name: "Reason", type: "string", cell: (event) => textAt(event, "reason") },
  { name: "Object", type: "string", cell: (event) => target(subjectOf(event)) },
  { name: "Subobject", type: "string", priority: 1, cell: (event) => textAt(subjectOf(event), "fieldPath") },
  { name: "Source", type: "string", priority: 1, cell: (event) => sourceOf(event) },
  { name: "Message", type: "string", cell: (event) => (textAt(event, "message") || textAt(event, "note")).trim() },
  { name: "First Seen", type: "string", priority: 1, cell: (event, nowMs) => ageOf(firstSeen(event), nowMs) },
  { name: "Count", type: "string", priority: 1, cell: (event) => countOf(event) },
  { name: "Name", type: "string", priority: 1, format: "name", cell: (event) => textAt(metadataOf(event), "name") },
];

function subjectOf(event: JsonObject): JsonObject {
  return Object.hasOwn(event, "involvedObject") ? objectAt(event, "involvedObject") : objectAt(event, "regarding");
}

function target(subject: JsonObject): string {
  const kind = textAt(subject, "kind").toLowerCase();
  return textAt(subject, "name") === "" ? kind : `${kind}/${textAt(subject, "name")}`;
}

function firstSeen(event: JsonObject): string {
  return textAt(event, "firstTimestamp") || textAt(event, "deprecatedFirstTimestamp") || textAt(event, "eventTime");
}

function lastSeen(event: JsonObject): string {
  const series = textAt(objectAt(event, "series"), "lastObservedTime");
  return series || textAt(event, "lastTimestamp") || textAt(event, "deprecatedLastTimestamp") || firstSeen(event);
}

function countOf(event: JsonObject): number {
  const counted = objectAt(event, "series")["count"] ?? event["count"] ?? event["deprecatedCount"];
  return typeof counted === "number" && counted > 0 ? counted : 1;
}

function sourceOf(event: JsonObject): string {
  const source = Object.hasOwn(event, "source") ? objectAt(event, "source") : objectAt(event, "deprecatedSource");
  const component =
    textAt(source, "component") || textAt(event, "reportingComponent") || textAt(event, "reportingController");
  const host = textAt(source, "host") || textAt(event, "reportingInstance");
  return host === "" ? component : `${component}, ${host}`;
}

/** The selectable fields. */
function selectable(subject: string, component: string): Strategy["selectableFields"] {
  const parts = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
  return {
    ...Object.fromEntries(
      parts.map((part) => [`${subject}.${part}`, (event: JsonObject) => textAt(objectAt(event, subject), part)]),
    ),
    reason: (event) => textAt(event, "reason"),
    type: (event) => textAt(event, "type"),
    source: (event) => textAt(objectAt(event, "source"), "component") || textAt(event, component),
    [component]: (event) => textAt(event, component),
  };
}

/** Event of `core/v1`. */
export const coreEventStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  applyDefaults: addPrinted,
  canonicalize: addPrinted,
  validate: (event, old) => checkEvent(event, old, "core"),
  selectableFields: selectable("involvedObject", "reportingComponent") ?? {},
  fields: {
    empty: {
      eventTime: null,
      firstTimestamp: null,
      involvedObject: {},
      lastTimestamp: null,
      reportingComponent: "",
      reportingInstance: "",
      source: {},
    },
  },
  table: {
    columns,
  },
};

/** Event of `events.k8s.io/v1`: stored as `core/v1`, with more required fields. */
export const eventStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  canonicalize(draft) {
    for (const key of ["eventTime", "deprecatedFirstTimestamp", "deprecatedLastTimestamp"]) draft[key] ??= null;
    for (const key of ["deprecatedSource", "regarding"]) if (!isDraft(draft[key])) draft[key] = {};
  },
  // Errors name the fields of the stored form.
  validate: (event, old) => checkEvent(eventToCore(event), old && eventToCore(old), "events"),
  selectableFields: selectable("regarding", "reportingController") ?? {},
  table: {
    columns,
  },
};
