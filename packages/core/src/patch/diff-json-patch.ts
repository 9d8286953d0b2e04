import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue, normaliseJson } from "../json/index.js";

/** An operation of a JSON patch (RFC 6902), as {@link diffJsonPatch} makes it. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string };

/**
 * A JSON patch that turns `from` into `to`: only what differs, field by field; empty if they are equal.
 *
 * `to` may be any value with a JSON form, which is what a JSON round trip makes of it. In lists, what is equal at the start and at the end is
 * kept, and the items between are compared by position.
 */
export function diffJsonPatch(from: JsonValue, to: unknown): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  diff(from, to, { parent: undefined, key: "" }, operations);
  return operations;
}

/** Where a value is. Paths are made only for operations. */
interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

function diff(from: JsonValue, to: unknown, place: Place, operations: JsonPatchOperation[]): void {
  if (from === to) return;
  if (isJsonObject(from) && isPlainObject(to)) {
    diffObjects(from, to, place, operations);
    return;
  }
  // Most lists are unchanged, and need no copy.
  if (Array.isArray(from) && Array.isArray(to) && deepEqual(from, to)) return;
  const value = normaliseJson(to);
  if (isJsonObject(from) && isJsonObject(value)) diffObjects(from, value, place, operations);
  else if (Array.isArray(from) && Array.isArray(value)) diffArrays(from, value, place, operations);
  else if (!deepEqual(from, value)) operations.push({ op: "replace", path: pathOf(place), value });
}

function diffObjects(
  from: JsonObject,
  to: Readonly<Record<string, unknown>>,
  parent: Place,
  operations: JsonPatchOperation[],
): void {
  for (const key of Object.keys(from)) {
    const before = getOwn(from, key);
    const after = getOwn(to, key);
    if (before === after || before === undefined) continue;
    if (hasJson(after)) diff(before, after, { parent, key }, operations);
    else operations.push({ op: "remove", path: pathOf({ parent, key }) });
  }
  for (const key of Object.keys(to)) {
    if (Object.hasOwn(from, key)) continue;
    const value = getOwn(to, key);
    if (hasJson(value)) operations.push({ op: "add", path: pathOf({ parent, key }), value: normaliseJson(value) });
  }
}

/** An object that a JSON round trip takes field by field. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
}

/** Whether a JSON round trip keeps a field with this value. */
function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

function diffArrays(
  from: readonly JsonValue[],
  to: readonly JsonValue[],
  parent: Place,
  operations: JsonPatchOperation[],
): void {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && deepEqual(from[start], to[start])) start++;
  let end = 0;
  while (end < shorter - start && deepEqual(from[from.length - 1 - end], to[to.length - 1 - end])) end++;
  const shared = shorter - end;
  for (let index = start; index < shared; index++)
    diff(from[index] ?? null, to[index] ?? null, { parent, key: index }, operations);
  // From the end, so that the indexes of earlier items stay as they are.
  for (let index = from.length - end - 1; index >= shared; index--)
    operations.push({ op: "remove", path: pathOf({ parent, key: index }) });
  for (let index = shared; index < to.length - end; index++)
    operations.push({ op: "add", path: pathOf({ parent, key: index }), value: to[index] ?? null });
}

function pathOf({ parent, key }: Place): string {
  return parent === undefined ? "" : `${pathOf(parent)}/${escapeStep(String(key))}`;
}

function escapeStep(step: string): string {
  return step.includes("~") || step.includes("/") ? step.replaceAll("~", "~0").replaceAll("/", "~1") : step;
}
