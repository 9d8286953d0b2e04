import { OperatorError } from "../errors/index.js";
import { copyFields, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { FieldSet } from "./field-set.js";

/** A decoded entry of `metadata.managedFields`. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
}

/** The field managers of an object, by {@link managerId}. */
export type FieldManagers = ReadonlyMap<string, FieldManager>;

type ManagerKey = Pick<FieldManager, "manager" | "operation" | "apiVersion" | "subresource">;

/** Identifies a field manager. The apiVersion is part of the identity for Update, but not for Apply. */
export function managerId({ manager, operation, apiVersion, subresource }: ManagerKey): string {
  // JSON, because kube-apiserver sorts managers by these strings.
  let id = manager === "" ? "{" : `{"manager":${JSON.stringify(manager)},`;
  id += `"operation":"${operation}"`;
  if (operation === "Update") id += `,"apiVersion":${JSON.stringify(apiVersion)}`;
  if (subresource !== "") id += `,"subresource":${JSON.stringify(subresource)}`;
  return `${id}}`;
}

/** Decodes `metadata.managedFields`. Throws an API_BAD_REQUEST error if an entry is malformed. */
export function decodeManagers(entries: JsonValue | undefined): Map<string, FieldManager> {
  const result = new Map<string, FieldManager>();
  if (!Array.isArray(entries)) return result;
  for (let index = 0; index < entries.length; index++) {
    const entry: unknown = entries[index];
    if (!isJsonObject(entry)) throw malformed("an entry is not an object");
    const manager = decodeManager(entry, index);
    result.set(managerId(manager), manager);
  }
  return result;
}

function decodeManager(entry: JsonObject, index: number): FieldManager {
  const operation = getOwn(entry, "operation");
  const apiVersion = text(entry, "apiVersion");
  const fieldsType = text(entry, "fieldsType");
  if (operation !== "Apply" && operation !== "Update") throw malformed("operation must be `Apply` or `Update`");
  if (apiVersion === "") throw malformed("apiVersion must not be empty");
  if (fieldsType === "") throw malformed(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== "FieldsV1") throw malformed(`invalid fieldsType "${fieldsType}" in managed fields entry ${index}`);
  return {
    manager: text(entry, "manager"),
    operation,
    apiVersion,
    subresource: text(entry, "subresource"),
    time: text(entry, "time") || undefined,
    set: FieldSet.parse(getOwn(entry, "fieldsV1") ?? {}),
  };
}

/** Encodes `metadata.managedFields` in kube-apiserver's order: by operation, time, manager, apiVersion, subresource. */
export function encodeManagers(managers: FieldManagers): JsonObject[] {
  const sorted = [...managers.values()];
  if (sorted.length > 1) sorted.sort(compareManagers);
  return sorted.map(encodeManager);
}

function encodeManager({ manager, operation, apiVersion, time, set, subresource }: FieldManager): JsonObject {
  const entry: Record<string, JsonValue> = {};
  if (manager !== "") entry["manager"] = manager;
  entry["operation"] = operation;
  entry["apiVersion"] = apiVersion;
  if (time !== undefined) entry["time"] = time;
  entry["fieldsType"] = "FieldsV1";
  entry["fieldsV1"] = set.toFieldsV1();
  if (subresource !== "") entry["subresource"] = subresource;
  return entry;
}

function compareManagers(a: FieldManager, b: FieldManager): number {
  return (
    compareStrings(a.operation, b.operation) ||
    (a.time === b.time ? 0 : seconds(a) - seconds(b)) ||
    compareStrings(a.manager, b.manager) ||
    compareStrings(a.apiVersion, b.apiVersion) ||
    compareStrings(a.subresource, b.subresource)
  );
}

function seconds({ time }: FieldManager): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1_000);
}

/** The encoded managedFields of an object. */
export function managedFieldsOf(object: JsonObject | undefined): JsonValue | undefined {
  const metadata = object && getOwn(object, "metadata");
  return isJsonObject(metadata) ? getOwn(metadata, "managedFields") : undefined;
}

/** The object with these managedFields; without the field if there are none. */
export function withManagedFields(object: JsonObject, entries: readonly JsonObject[] | undefined): JsonObject {
  const metadata = getOwn(object, "metadata");
  if (entries === undefined || entries.length === 0) {
    if (!isJsonObject(metadata) || !Object.hasOwn(metadata, "managedFields")) return object;
    const rest: Record<string, JsonValue> = {};
    for (const key of Object.keys(metadata)) if (key !== "managedFields") setOwn(rest, key, metadata[key] ?? null);
    const copy = copyFields(object);
    copy["metadata"] = rest;
    return copy;
  }
  const copy = copyFields(object);
  const managed = isJsonObject(metadata) ? copyFields(metadata) : {};
  managed["managedFields"] = entries;
  copy["metadata"] = managed;
  return copy;
}

/** Fields that no manager can own. */
export const unowned: FieldSet = FieldSet.of(
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "creationTimestamp"],
  ["metadata", "selfLink"],
  ["metadata", "uid"],
  ["metadata", "generation"],
  ["metadata", "managedFields"],
  ["metadata", "resourceVersion"],
);

function text(entry: JsonObject, key: string): string {
  const value = getOwn(entry, key);
  return typeof value === "string" ? value : "";
}

function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function malformed(why: string): OperatorError {
  return new OperatorError("API_BAD_REQUEST", `Cannot read metadata.managedFields: ${why}`);
}
