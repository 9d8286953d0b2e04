import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { fieldSchema, itemSchema, keywordOf, type Schema } from "../schema/index.js";
import { hasStrategy } from "./strategic-merge-patch.js";

/**
 * What is left of a strategic merge patch once a real server has obeyed it: its refusals quote the patch so.
 *
 * Directives go, and so do nulls where there was nothing to take away. `target` is what the patch was applied to, with success.
 */
export function obeyedPatch(target: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  const marker = getOwn(patch, "$patch");
  if (marker === "replace") return without(patch, (key) => key === "$patch");
  if (marker !== undefined) return patch;
  const retained = getOwn(patch, "$retainKeys");
  const original = Array.isArray(retained) ? without(target, (key) => !retained.includes(key)) : target;
  const left: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(patch)) {
    const isDone = key === "$retainKeys" || key.startsWith(order) || Object.hasOwn(patch, `${order}${key}`);
    if (!isDone) setOwn(left, key, obeyedField(getOwn(original, key), value, fieldSchema(schema, key)));
  }
  return left;
}

const order = "$setElementOrder/";

function obeyedField(current: JsonValue | undefined, change: JsonValue, schema: Schema | undefined): JsonValue {
  if (change === null) return null;
  if (Array.isArray(current) && Array.isArray(change)) {
    if (!hasStrategy(schema, "merge")) return change;
    return obeyedList(current, change, keywordOf(schema, "x-kubernetes-patch-merge-key"), itemSchema(schema));
  }
  if (isJsonObject(current) && isJsonObject(change))
    return hasStrategy(schema, "replace") ? change : obeyedPatch(current, change, schema);
  // New here: what it holds is cleaned, the value itself stays.
  return cleaned(withoutNulls(change));
}

function obeyedList(
  current: readonly JsonValue[],
  change: readonly JsonValue[],
  mergeKey: string | undefined,
  schema: Schema | undefined,
): JsonValue {
  if (mergeKey === undefined || change.some((item) => isJsonObject(item) && item["$patch"] === "replace"))
    return change;
  return change.map((item) => {
    if (!isJsonObject(item) || Object.hasOwn(item, "$patch")) return item;
    const value = getOwn(item, mergeKey);
    const found = current.find((one): one is JsonObject => isJsonObject(one) && getOwn(one, mergeKey) === value);
    return found ? obeyedPatch(found, item, schema) : item;
  });
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const left = without(value, (_, inner) => inner === null);
  return Object.fromEntries(Object.entries(left).map(([key, inner]) => [key, withoutNulls(inner)]));
}

/** Without the parts that carry a directive; what carries one itself, or is a list, is only looked into. */
function cleaned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(cleaned);
  if (!isJsonObject(value) || Object.hasOwn(value, "$patch")) return value;
  const left = Object.entries(value).filter(([, inner]) => !isDirective(inner));
  return Object.fromEntries(
    left.map(([key, inner]) => {
      const kept = cleaned(inner);
      return [key, Array.isArray(kept) ? kept.filter((item) => !isDirective(item)) : kept];
    }),
  );
}

function isDirective(value: JsonValue): boolean {
  return isJsonObject(value) && Object.hasOwn(value, "$patch");
}

function without(value: JsonObject, isGone: (key: string, inner: JsonValue) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key, inner]) => !isGone(key, inner)));
}
