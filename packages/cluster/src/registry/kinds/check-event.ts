import { deepEqual, goJson, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { type FieldError, required } from "@kubewright/core/schema";
import { metadataOf, objectAt, textAt } from "../draft.js";
import { qualifiedName } from "../name-rules.js";
import { invalidAt } from "../object-meta.js";

/**
 * What is wrong with an Event in the words of `core/v1`, however it came; what came through the new group must say more, and hardly changes.
 * `old` is undefined for a new one.
 */
export function checkEvent(event: JsonObject, old: JsonObject | undefined, group: "core" | "events"): FieldError[] {
  const errors: FieldError[] = [];
  const component = group === "core" ? "reportingComponent" : "reportingController";
  // Without a time it is taken for one of the old kind.
  const isNew = textAt(event, "eventTime") !== "";
  checkSubject(event, isNew, errors);
  if (isNew) checkReport(event, component, errors);
  if (group === "core") return errors;
  if (old) return [...errors, ...checkChange(event, old)];
  checkSeries(event, errors);
  if (!isNew) errors.push(required("eventTime"));
  const type = textAt(event, "type");
  if (type !== "Normal" && type !== "Warning") errors.push(invalidAt("type", "", `has invalid value: ${type}`));
  const source = objectAt(event, "source");
  const isSet = {
    firstTimestamp: textAt(event, "firstTimestamp") !== "",
    lastTimestamp: textAt(event, "lastTimestamp") !== "",
    count: (event["count"] ?? 0) !== 0,
    source: textAt(source, "component") !== "" || textAt(source, "host") !== "",
  };
  for (const [field, found] of Object.entries(isSet)) if (found) errors.push(invalidAt(field, "", "needs to be unset"));
  return errors;
}

function checkSubject(event: JsonObject, isNew: boolean, errors: FieldError[]): void {
  const namespace = textAt(objectAt(event, "involvedObject"), "namespace");
  const own = textAt(metadataOf(event), "namespace");
  const fits = namespace === "" ? own === "default" || (isNew && own === "kube-system") : isNew || namespace === own;
  if (!fits) errors.push(invalidAt("involvedObject.namespace", namespace, "does not match event.namespace"));
}

/** The longest texts, in bytes. */
const limits = { reportingInstance: 128, action: 128, reason: 128, message: 1024 };

function checkReport(event: JsonObject, component: string, errors: FieldError[]): void {
  const reporter = textAt(event, "reportingComponent");
  if (reporter === "") errors.push(required(component));
  errors.push(...qualifiedName(reporter).map((detail) => invalidAt(component, reporter, detail)));
  for (const [field, limit] of Object.entries(limits)) {
    const value = textAt(event, field);
    if (value === "" && field !== "message") errors.push(required(field));
    if (Buffer.byteLength(value) > limit) errors.push(invalidAt(field, "", `can have at most ${limit} characters`));
  }
}

function checkSeries(event: JsonObject, errors: FieldError[]): void {
  const { series } = event;
  if (!isJsonObject(series)) return;
  const { count = 0 } = series;
  if (typeof count !== "number" || count < 2) errors.push(invalidAt("series.count", "", "should be at least 2"));
  if (textAt(series, "lastObservedTime") === "") errors.push(required("series.lastObservedTime"));
}

/** Fields that do not change, in the order in which they are looked at, and how a refusal shows them. */
const kept: readonly (readonly [field: string, shown: (value: JsonValue | undefined) => JsonValue])[] = [
  ["involvedObject", reference],
  ["reason", text],
  ["message", text],
  ["source", source],
  ["firstTimestamp", orNull],
  ["lastTimestamp", orNull],
  ["count", (value) => value ?? 0],
  ["reason", text],
  ["type", text],
  ["eventTime", orNull],
  ["action", text],
  ["related", (value) => (isJsonObject(value) ? reference(value) : null)],
  ["reportingComponent", text],
  ["reportingInstance", text],
];

function checkChange(event: JsonObject, old: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  if (!deepEqual(event["series"], old["series"])) checkSeries(event, errors);
  for (const [field, shown] of kept) {
    const value = shown(event[field]);
    if (deepEqual(value, shown(old[field]))) continue;
    const name = field === "reportingComponent" ? "reportingController" : field;
    const error = invalidAt(name, value, "field is immutable");
    // Not in the order of the alphabet.
    errors.push(isJsonObject(value) ? { ...error, shown: goJson(value) } : error);
  }
  return errors;
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function orNull(value: JsonValue | undefined): JsonValue {
  return value ?? null;
}

/** As a real server's own type prints it. */
function reference(value: JsonValue | undefined): JsonObject {
  const part = isJsonObject(value) ? value : {};
  const fields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
  const goName = (field: string): string =>
    field === "uid" ? "UID" : field === "apiVersion" ? "APIVersion" : field.slice(0, 1).toUpperCase() + field.slice(1);
  return Object.fromEntries(fields.map((field) => [goName(field), textAt(part, field)]));
}

function source(value: JsonValue | undefined): JsonObject {
  const part = isJsonObject(value) ? value : {};
  return { Component: textAt(part, "component"), Host: textAt(part, "host") };
}
