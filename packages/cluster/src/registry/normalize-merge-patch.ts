import { copyFields, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "@kubewright/core/json";

/**
 * A merge patch as kube-apiserver interprets it for `current`: nulls inside new lists are dropped, although RFC 7396 keeps them. A list that
 * replaces an object is kept unchanged.
 */
export function normalizeMergePatch(current: JsonObject, patch: JsonObject): JsonObject {
  return changed(patch, (key, value) => {
    const before = getOwn(current, key);
    if (value === null) return null;
    if (!isJsonObject(before)) return withoutNulls(value);
    return isJsonObject(value) ? normalizeMergePatch(before, value) : value;
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

/** The object itself if nothing changes. */
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
