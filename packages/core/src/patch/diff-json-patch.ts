import { deepEqual, getOwn, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../json/index.js";
import { formatStep } from "./json-pointer.js";

/** One operation of a JSON patch that a diff can give. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string };

/**
 * The JSON patch (RFC 6902) that turns `from` into `to`; empty when they are equal.
 *
 * Objects are compared field by field. Of arrays, what they share at the start and at the end stays, and what lies between is changed
 * element by element: small for usual edits, not always the smallest.
 */
export function diffJsonPatch(from: JsonValue, to: JsonValue): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  diffValue(from, to, "", operations);
  return operations;
}

function diffValue(from: JsonValue, to: JsonValue, path: string, operations: JsonPatchOperation[]): void {
  if (deepEqual(from, to)) return;
  if (Array.isArray(from) && Array.isArray(to)) diffArray(from, to, path, operations);
  else if (isJsonObject(from) && isJsonObject(to)) diffObject(from, to, path, operations);
  else operations.push({ op: "replace", path, value: to });
}

function diffObject(from: JsonObject, to: JsonObject, path: string, operations: JsonPatchOperation[]): void {
  for (const key of Object.keys(from)) {
    if (getOwn(to, key) === undefined) operations.push({ op: "remove", path: `${path}/${formatStep(key)}` });
  }
  for (const [key, value] of Object.entries(to)) {
    const before = getOwn(from, key);
    if (before === undefined) operations.push({ op: "add", path: `${path}/${formatStep(key)}`, value });
    else diffValue(before, value, `${path}/${formatStep(key)}`, operations);
  }
}

function diffArray(from: JsonArray, to: JsonArray, path: string, operations: JsonPatchOperation[]): void {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && deepEqual(from[start], to[start])) start++;
  let end = 0;
  while (end < shorter - start && deepEqual(from[from.length - 1 - end], to[to.length - 1 - end])) end++;
  const oldMiddle = from.slice(start, from.length - end);
  const newMiddle = to.slice(start, to.length - end);
  const both = Math.min(oldMiddle.length, newMiddle.length);
  for (let index = 0; index < both; index++) {
    diffValue(oldMiddle[index] ?? null, newMiddle[index] ?? null, `${path}/${start + index}`, operations);
  }
  // From the back, so that each index still means the element that it names.
  for (let index = oldMiddle.length - 1; index >= both; index--)
    operations.push({ op: "remove", path: `${path}/${start + index}` });
  for (let index = both; index < newMiddle.length; index++) {
    operations.push({ op: "add", path: `${path}/${start + index}`, value: newMiddle[index] ?? null });
  }
}
