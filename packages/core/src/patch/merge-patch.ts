import { copyFields, deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";

/**
 * Applies a JSON merge patch (RFC 7396): objects merge, null removes, everything else replaces.
 *
 * Does not modify its input; the result shares unchanged parts, and is `target` itself if nothing changes.
 */
export function applyMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return deepEqual(target, patch) ? target : patch;
  const base: JsonObject = isJsonObject(target) ? target : {};
  let result: Record<string, JsonValue> | undefined;
  for (const [key, change] of Object.entries(patch)) {
    const before = getOwn(base, key);
    if (change === null) {
      if (before === undefined) continue;
      result ??= copyFields(base);
      delete result[key];
      continue;
    }
    const after = applyMergePatch(before ?? null, change);
    if (after === before) continue;
    result ??= copyFields(base);
    setOwn(result, key, after);
  }
  return result ?? (isJsonObject(target) ? target : {});
}

/**
 * The smallest merge patch that turns `from` into `to`; undefined if they are equal.
 *
 * A merge patch cannot set a field to null: null fields in objects of `to` count as absent.
 */
export function diffMergePatch(from: JsonValue, to: JsonValue): JsonValue | undefined {
  if (!isJsonObject(from) || !isJsonObject(to)) return deepEqual(from, to) ? undefined : to;
  const patch: Record<string, JsonValue> = {};
  for (const [key, before] of Object.entries(from)) {
    const after = getOwn(to, key) ?? null;
    if (after === null) {
      if (before !== null || !Object.hasOwn(to, key)) setOwn(patch, key, null);
      continue;
    }
    const change = diffMergePatch(before, after);
    if (change !== undefined) setOwn(patch, key, change);
  }
  for (const [key, after] of Object.entries(to)) {
    if (after !== null && !Object.hasOwn(from, key)) setOwn(patch, key, after);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
