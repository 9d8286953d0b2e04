import type { JsonObject } from "@kubewright/core/json";
import type { ObjectReference } from "kubewright/k8s/core/v1";
import { ageOf } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import { checkEvent } from "./check-event.js";
import { type ConvertedEvent, completeEvent, eventToCore, type StoredEvent } from "./event-conversion.js";

const columns: readonly Column<StoredEvent>[] = [
  { name: "Last Seen", type: "string", cell: (event, nowMs) => ageOf(lastSeen(event), nowMs) },
  { name: "Type", type: "string", cell: (event) => event.type ?? "" },
  { name: "Reason", type: "string", cell: (event) => event.reason ?? "" },
  { name: "Object", type: "string", cell: (event) => printInvolvedObject(event.involvedObject ?? {}) },
  { name: "Subobject", type: "string", priority: 1, cell: (event) => event.involvedObject?.fieldPath ?? "" },
  { name: "Source", type: "string", priority: 1, cell: printSource },
  { name: "Message", type: "string", cell: (event) => (event.message ?? "").trim() },
  { name: "First Seen", type: "string", priority: 1, cell: (event, nowMs) => ageOf(firstSeen(event), nowMs) },
  {
    name: "Count",
    type: "string",
    priority: 1,
    cell: (event) => Math.max(event.series?.count ?? event.count ?? 0, 1),
  },
  { name: "Name", type: "string", priority: 1, format: "name", cell: (event) => event.metadata?.name ?? "" },
];

function printInvolvedObject({ kind = "", name = "" }: Decoded<ObjectReference>): string {
  return name === "" ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`;
}

function firstSeen(event: Decoded<StoredEvent>): string {
  return event.firstTimestamp || event.eventTime || "";
}

function lastSeen(event: Decoded<StoredEvent>): string {
  return event.series?.lastObservedTime || event.lastTimestamp || firstSeen(event);
}

function printSource(event: Decoded<StoredEvent>): string {
  const component = event.source?.component || event.reportingComponent || "";
  const host = event.source?.host || event.reportingInstance || "";
  return host === "" ? component : `${component}, ${host}`;
}

const referenceFields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"] as const;

/** The selectable fields, with the version's names for the involved object and the reporting component. */
function selectable(
  subject: "involvedObject" | "regarding",
  component: "reportingComponent" | "reportingController",
  stored: (event: JsonObject) => Decoded<StoredEvent>,
): NonNullable<Strategy["selectableFields"]> {
  return {
    ...Object.fromEntries(
      referenceFields.map((part) => [
        `${subject}.${part}`,
        (event: JsonObject) => stored(event).involvedObject?.[part] ?? "",
      ]),
    ),
    reason: (event) => stored(event).reason ?? "",
    type: (event) => stored(event).type ?? "",
    ...(subject === "involvedObject" && {
      source: (event: JsonObject) => stored(event).source?.component || stored(event).reportingComponent || "",
    }),
    [component]: (event) => stored(event).reportingComponent ?? "",
  };
}

/** Event of `core/v1`. */
export const coreEventStrategy: Strategy<StoredEvent> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  applyDefaults: completeEvent,
  canonicalize: completeEvent,
  validate: (event, old) => checkEvent(event, old, "core"),
  selectableFields: selectable("involvedObject", "reportingComponent", (event) => event),
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
export const eventStrategy: Strategy<ConvertedEvent> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  canonicalize(draft) {
    draft.eventTime ??= null;
    draft.deprecatedFirstTimestamp ??= null;
    draft.deprecatedLastTimestamp ??= null;
    draft.deprecatedSource ??= {};
    draft.regarding ??= {};
  },
  // Errors name the fields of the stored form.
  validate: (event, old) => checkEvent(eventToCore(event), old && eventToCore(old), "events"),
  selectableFields: selectable("regarding", "reportingController", eventToCore),
  table: {
    columns: columns.map((column) => ({ ...column, cell: (event, nowMs) => column.cell(eventToCore(event), nowMs) })),
  },
};
