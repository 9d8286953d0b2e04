import {
  deepEqual,
  getOwn,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  setOwn,
} from "../json/index.js";
import { fieldSchema, itemSchema, keywordOf, type Schema } from "../schema/index.js";

/**
 * The strategic merge patch that turns `from` into `to`; undefined when they are equal.
 *
 * Lists whose schema names a merge key are patched element by element, with the order of the result in `$setElementOrder`; lists of
 * scalars with strategy `merge` by what is added and `$deleteFromPrimitiveList`; other lists are replaced. Fields with strategy
 * `retainKeys` name the keys that stay. A null in `to` cannot be expressed, like in every merge patch: it removes the field.
 */
export function diffStrategicMergePatch(
  from: JsonObject,
  to: JsonObject,
  schema: Schema | undefined,
): JsonObject | undefined {
  const patch = diffMap(from, to, schema);
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function diffMap(from: JsonObject, to: JsonObject, schema: Schema | undefined): JsonObject {
  const patch: Record<string, JsonValue> = {};
  for (const key of Object.keys(from)) if (getOwn(to, key) === undefined) setOwn(patch, key, null);
  for (const [key, value] of Object.entries(to)) {
    const before = getOwn(from, key);
    if (before === undefined || !deepEqual(before, value))
      diffField(patch, key, before, value, fieldSchema(schema, key));
  }
  return patch;
}

function diffField(
  patch: Record<string, JsonValue>,
  key: string,
  before: JsonValue | undefined,
  value: JsonValue,
  schema: Schema | undefined,
): void {
  const strategies = strategiesOf(schema);
  if (isJsonObject(before) && isJsonObject(value) && !strategies.has("replace")) {
    const change = diffMap(before, value, schema);
    const retained = strategies.has("retainKeys") ? { $retainKeys: Object.keys(value).sort() } : {};
    setOwn(patch, key, { ...change, ...retained });
  } else if (Array.isArray(before) && Array.isArray(value) && strategies.has("merge")) {
    diffMergedList(patch, key, before, value, schema);
  } else {
    setOwn(patch, key, value);
  }
}

function diffMergedList(
  patch: Record<string, JsonValue>,
  key: string,
  before: JsonArray,
  after: JsonArray,
  schema: Schema | undefined,
): void {
  const mergeKey = keywordOf(schema, "x-kubernetes-patch-merge-key");
  if (mergeKey === undefined) {
    const added = after.filter((item) => !before.includes(item));
    const removed = before.filter((item) => !after.includes(item));
    if (removed.length > 0) setOwn(patch, `$deleteFromPrimitiveList/${key}`, removed);
    if (added.length > 0) setOwn(patch, key, added);
    setOwn(patch, `$setElementOrder/${key}`, after);
    return;
  }
  const oldItems = byKey(before, mergeKey);
  const newItems = byKey(after, mergeKey);
  // Elements without their key, or twice the same: nothing can be merged, only replaced.
  if (oldItems === undefined || newItems === undefined) {
    setOwn(patch, key, [...after, { $patch: "replace" }]);
    return;
  }
  const changes: JsonValue[] = [];
  for (const [id, item] of newItems) {
    const old = oldItems.get(id);
    const change = old === undefined ? item : diffMap(old, item, itemSchema(schema));
    if (Object.keys(change).length > 0) changes.push({ ...change, [mergeKey]: getOwn(item, mergeKey) ?? null });
  }
  for (const [id, item] of oldItems) {
    if (!newItems.has(id)) changes.push({ $patch: "delete", [mergeKey]: getOwn(item, mergeKey) ?? null });
  }
  if (changes.length > 0) setOwn(patch, key, changes);
  setOwn(
    patch,
    `$setElementOrder/${key}`,
    [...newItems.values()].map((item) => ({ [mergeKey]: getOwn(item, mergeKey) ?? null })),
  );
}

function byKey(list: JsonArray, mergeKey: string): Map<string, JsonObject> | undefined {
  const items = new Map<string, JsonObject>();
  for (const item of list) {
    const key = isJsonObject(item) ? getOwn(item, mergeKey) : undefined;
    const id = JSON.stringify(key);
    if (!isJsonObject(item) || key === undefined || key === null || items.has(id)) return undefined;
    items.set(id, item);
  }
  return items;
}

function strategiesOf(schema: Schema | undefined): ReadonlySet<string> {
  return new Set(keywordOf(schema, "x-kubernetes-patch-strategy")?.split(",") ?? []);
}
