import { copyFields, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "@kubewright/core/json";

/**
 * A merge patch as a real server reads it, for the object that it is applied to: nulls vanish inside of new lists too, where by the
 * letter of RFC 7396 they stay. A list in the place of an object is taken as it is.
 */
export function settleMergePatch(current: JsonObject, patch: JsonObject): JsonObject {
  return changed(patch, (key, value) => {
    const before = getOwn(current, key);
    if (value === null) return null;
    if (!isJsonObject(before)) return withoutNulls(value);
    return isJsonObject(value) ? settleMergePatch(before, value) : value;
  });
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const kept = items.map(withoutNulls);
    return kept.every((item, index) => item === items[index]) ? items : kept;
  }
  return isJsonObject(value) ? changed(value, (_, inner) => (inner === null ? undefined : withoutNulls(inner))) : value;
}

/** The object itself where nothing of it changes. */
function changed(object: JsonObject, change: (key: string, value: JsonValue) => JsonValue | undefined): JsonObject {
  let result: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    const next = change(key, value);
    if (next === value) continue;
    result ??= copyFields(object);
    if (next === undefined) delete result[key];
    else setOwn(result, key, next);
  }
  return result ?? object;
}
