import { deepEqual } from "@kubewright/core/json";
import { type FieldError, required } from "@kubewright/core/schema";
import type { Decoded } from "../../decoded.js";
import { qualifiedName } from "../../name-rules.js";
import { invalidAt } from "../../object-meta.js";
import { immutable } from "../../validation/index.js";
import type { StoredEvent } from "./event-conversion.js";

/**
 * Validates an Event of either group in its `core/v1` form. `events.k8s.io` requires more fields, and makes most of them immutable. `old` is
 * undefined for a create.
 */
export function checkEvent(
  event: Decoded<StoredEvent>,
  old: Decoded<StoredEvent> | undefined,
  group: "core" | "events",
): FieldError[] {
  const errors: FieldError[] = [];
  const component = group === "core" ? "reportingComponent" : "reportingController";
  // An Event without eventTime follows the rules of `core/v1`.
  const hasEventTime = Boolean(event.eventTime);
  checkInvolvedObject(event, hasEventTime, errors);
  if (hasEventTime) checkReporter(event, component, errors);
  if (group === "core") return errors;
  if (old) return [...errors, ...checkChange(event, old)];
  checkSeries(event, errors);
  if (!hasEventTime) errors.push(required("eventTime"));
  const { type = "", source = {} } = event;
  if (type !== "Normal" && type !== "Warning") errors.push(invalidAt("type", "", `has invalid value: ${type}`));
  const unset = {
    firstTimestamp: event.firstTimestamp,
    lastTimestamp: event.lastTimestamp,
    count: event.count,
    source: source.component || source.host,
  };
  for (const [field, found] of Object.entries(unset)) if (found) errors.push(invalidAt(field, "", "needs to be unset"));
  return errors;
}

function checkInvolvedObject(event: Decoded<StoredEvent>, hasEventTime: boolean, errors: FieldError[]): void {
  const { namespace = "" } = event.involvedObject ?? {};
  const { namespace: own = "" } = event.metadata ?? {};
  const isMatch =
    namespace === "" ? own === "default" || (hasEventTime && own === "kube-system") : hasEventTime || namespace === own;
  if (!isMatch) errors.push(invalidAt("involvedObject.namespace", namespace, "does not match event.namespace"));
}

/** The maximum lengths, in bytes. */
const limits = [
  ["reportingInstance", 128],
  ["action", 128],
  ["reason", 128],
  ["message", 1024],
] as const;

function checkReporter(event: Decoded<StoredEvent>, component: string, errors: FieldError[]): void {
  const { reportingComponent: reporter = "" } = event;
  if (reporter === "") errors.push(required(component));
  errors.push(...qualifiedName(reporter).map((detail) => invalidAt(component, reporter, detail)));
  for (const [field, limit] of limits) {
    const value = event[field] ?? "";
    if (value === "" && field !== "message") errors.push(required(field));
    if (Buffer.byteLength(value) > limit) errors.push(invalidAt(field, "", `can have at most ${limit} characters`));
  }
}

function checkSeries({ series }: Decoded<StoredEvent>, errors: FieldError[]): void {
  if (!series) return;
  if ((series.count ?? 0) < 2) errors.push(invalidAt("series.count", "", "should be at least 2"));
  if (!series.lastObservedTime) errors.push(required("series.lastObservedTime"));
}

/** Fields that an update through `events.k8s.io` may not change. */
const immutableFields = [
  "involvedObject",
  "reason",
  "message",
  "source",
  "firstTimestamp",
  "lastTimestamp",
  "count",
  "type",
  "eventTime",
  "action",
  "related",
  "reportingComponent",
  "reportingInstance",
] as const;

function checkChange(event: Decoded<StoredEvent>, old: Decoded<StoredEvent>): FieldError[] {
  const errors: FieldError[] = [];
  if (!deepEqual(event.series, old.series)) checkSeries(event, errors);
  for (const field of immutableFields) {
    const value = event[field] ?? null;
    if (deepEqual(value, old[field] ?? null)) continue;
    errors.push(invalidAt(field === "reportingComponent" ? "reportingController" : field, value, immutable));
  }
  return errors;
}
