import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";

/** An operation of a JSON patch (RFC 6902), as {@link diffJsonPatch} makes it. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string };

/**
 * A JSON patch that turns `from` into `to`: only what differs, field by field; empty if they are equal.
 *
 * In lists, what is equal at the start and at the end is kept, and the items between are compared by position.
 */
export function diffJsonPatch(from: JsonValue, to: JsonValue): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  diff(from, to, "", operations);
  return operations;
}

function diff(from: JsonValue, to: JsonValue, path: string, operations: JsonPatchOperation[]): void {
  if (isJsonObject(from) && isJsonObject(to)) diffObjects(from, to, path, operations);
  else if (Array.isArray(from) && Array.isArray(to)) diffArrays(from, to, path, operations);
  else if (!deepEqual(from, to)) operations.push({ op: "replace", path, value: to });
}

function diffObjects(from: JsonObject, to: JsonObject, path: string, operations: JsonPatchOperation[]): void {
  for (const key of Object.keys(from)) {
    const at = `${path}/${escapeStep(key)}`;
    const before = getOwn(from, key);
    const after = getOwn(to, key);
    if (after === undefined) operations.push({ op: "remove", path: at });
    else if (before !== undefined) diff(before, after, at, operations);
  }
  for (const key of Object.keys(to)) {
    const value = getOwn(to, key);
    if (value !== undefined && !Object.hasOwn(from, key))
      operations.push({ op: "add", path: `${path}/${escapeStep(key)}`, value });
  }
}

function diffArrays(
  from: readonly JsonValue[],
  to: readonly JsonValue[],
  path: string,
  operations: JsonPatchOperation[],
): void {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && deepEqual(from[start], to[start])) start++;
  let end = 0;
  while (end < shorter - start && deepEqual(from[from.length - 1 - end], to[to.length - 1 - end])) end++;
  const shared = shorter - end;
  for (let index = start; index < shared; index++)
    diff(from[index] ?? null, to[index] ?? null, `${path}/${index}`, operations);
  // From the end, so that the indexes of earlier items stay as they are.
  for (let index = from.length - end - 1; index >= shared; index--)
    operations.push({ op: "remove", path: `${path}/${index}` });
  for (let index = shared; index < to.length - end; index++)
    operations.push({ op: "add", path: `${path}/${index}`, value: to[index] ?? null });
}

function escapeStep(step: string): string {
  return step.includes("~") || step.includes("/") ? step.replaceAll("~", "~0").replaceAll("/", "~1") : step;
}
