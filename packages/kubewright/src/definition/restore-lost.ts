import {
  deepEqual,
  getOwn,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  setOwn,
} from "@kubewright/core/json";

/** Fields that identify a list item after it was changed. */
const identities = ["name", "key", "id", "type"] as const;

/** The difference that a round trip through another version makes: only the parts that differ, before and after. */
export interface LostParts {
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** The difference between a value and its round trip; undefined when they are equal. Lists are not split. */
export function lostParts(before: JsonValue, after: JsonValue): LostParts | undefined {
  if (!isJsonObject(before) || !isJsonObject(after)) return deepEqual(before, after) ? undefined : { before, after };
  const parts = { before: {} as Record<string, JsonValue>, after: {} as Record<string, JsonValue> };
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [getOwn(before, name), getOwn(after, name)];
    const inner = was === undefined || is === undefined ? { before: was, after: is } : lostParts(was, is);
    if (inner?.before !== undefined) setOwn(parts.before, name, inner.before);
    if (inner?.after !== undefined) setOwn(parts.after, name, inner.after);
  }
  return Object.keys(parts.before).length + Object.keys(parts.after).length === 0 ? undefined : parts;
}

/**
 * Restores the values that a round trip through another version lost, unless they were changed there.
 *
 * `kept` and `plain` are what {@link lostParts} returned for the earlier round trip: the value before and after it. `current` is the value
 * after the conversion now. Where `current` equals `plain`, `kept` is restored; where it differs, a client changed it since, and `current`
 * wins. List items are matched by equality, then by an identifying field.
 */
export function restoreLost(current: JsonValue, plain: JsonValue, kept: JsonValue): JsonValue {
  if (deepEqual(current, plain)) return kept;
  if (isJsonObject(current) && isJsonObject(plain) && isJsonObject(kept)) return restoreFields(current, plain, kept);
  if (Array.isArray(current) && Array.isArray(plain) && Array.isArray(kept) && plain.length === kept.length)
    return restoreItems(current, plain, kept);
  return current;
}

function restoreFields(current: JsonObject, plain: JsonObject, kept: JsonObject): JsonObject {
  const restored: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(current)) {
    const [was, before] = [getOwn(plain, name), getOwn(kept, name)];
    if (was === undefined) setOwn(restored, name, value);
    else if (before !== undefined) setOwn(restored, name, restoreLost(value, was, before));
    else if (!deepEqual(value, was)) setOwn(restored, name, value);
  }
  for (const [name, value] of Object.entries(kept))
    if (getOwn(current, name) === undefined && getOwn(plain, name) === undefined) setOwn(restored, name, value);
  return restored;
}

function restoreItems(current: JsonArray, plain: JsonArray, kept: JsonArray): JsonArray {
  const free = new Set(plain.keys());
  const take = (fits: (was: JsonValue) => boolean): number | undefined => {
    for (const index of free) {
      const was = plain[index];
      if (was === undefined || !fits(was)) continue;
      free.delete(index);
      return index;
    }
    return undefined;
  };
  const equal = current.map((item) => take((was) => deepEqual(was, item)));
  return current.map((item, position) => {
    const index = equal[position] ?? take((was) => isSameItem(was, item));
    const [was, before] = index === undefined ? [] : [plain[index], kept[index]];
    return was === undefined || before === undefined ? item : restoreLost(item, was, before);
  });
}

function isSameItem(was: JsonValue, item: JsonValue): boolean {
  if (!isJsonObject(was) || !isJsonObject(item)) return false;
  const name = identities.find((field) => getOwn(item, field) !== undefined);
  return name !== undefined && deepEqual(getOwn(was, name) ?? null, getOwn(item, name) ?? null);
}
