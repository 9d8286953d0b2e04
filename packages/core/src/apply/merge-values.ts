import { OperatorError } from "../errors/index.js";
import { copyFields, deepEqual, getOwn, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { fieldSchema, itemSchema, type Schema } from "../schema/index.js";
import { elementOf, mergeShape, requireElement } from "./merge-shape.js";
import { fieldElement, type PathElement, printElement } from "./path-element.js";

/**
 * Merges an apply configuration into a live value: fields of the configuration win, all others stay.
 *
 * Does not modify its input; shares equal parts. Throws an API_BAD_REQUEST error if a list of the configuration has
 * elements with duplicate keys or without keys.
 */
export function mergeValues(
  live: JsonValue | undefined,
  config: JsonValue,
  schema: Schema | undefined,
  path = "",
): JsonValue {
  const left = mergeShape(live, schema);
  const right = mergeShape(config, schema);
  if (right.kind === "map") {
    return mergeMaps(left.kind === "map" ? left.value : undefined, right.value, schema, path);
  }
  if (right.kind === "list") {
    return mergeLists(left.kind === "list" ? left.value : [], right.value, right.schema, path);
  }
  // Null does not replace a non-empty map or associative list.
  if (config === null && live !== undefined && left.kind !== "leaf" && Object.keys(left.value).length > 0) return live;
  return live !== undefined && deepEqual(live, config) ? live : config;
}

function mergeMaps(
  live: JsonObject | undefined,
  config: JsonObject,
  schema: Schema | undefined,
  path: string,
): JsonValue {
  const result = copyFields(live ?? {});
  let isChanged = live === undefined;
  for (const [key, field] of Object.entries(config)) {
    const before = live && getOwn(live, key);
    const after = mergeValues(before, field, fieldSchema(schema, key), path + printElement(fieldElement(key)));
    if (after === before) continue;
    isChanged = true;
    setOwn(result, key, after);
  }
  return isChanged || live === undefined ? result : live;
}

function mergeLists(live: readonly JsonValue[], config: readonly JsonValue[], schema: Schema, path: string): JsonValue {
  const desired = new Map<PathElement, JsonValue>();
  for (const [index, item] of config.entries()) {
    const element = requireElement(item, schema, path, index);
    if (desired.has(element)) {
      throw new OperatorError("API_BAD_REQUEST", `${path}: duplicate entries for key ${printElement(element)}`);
    }
    desired.set(element, item);
  }
  const present: { readonly element: PathElement | undefined; readonly item: JsonValue }[] = [];
  const liveItems = new Map<PathElement, JsonValue | undefined>();
  for (const item of live) {
    const found = elementOf(item, schema);
    const element = "element" in found ? found.element : undefined;
    present.push({ element, item });
    // Stored duplicates cannot be distinguished: the configuration replaces them.
    if (element !== undefined) liveItems.set(element, liveItems.has(element) ? undefined : item);
  }
  const merged = (element: PathElement): JsonValue =>
    mergeValues(liveItems.get(element), desired.get(element) ?? null, itemSchema(schema), path + printElement(element));
  const result = interleave(present, [...desired.keys()], merged);
  return deepEqual(result, live) ? live : result;
}

/** Merges in the order of the configuration; live-only elements keep their place. */
function interleave(
  present: readonly { readonly element: PathElement | undefined; readonly item: JsonValue }[],
  desired: readonly PathElement[],
  merged: (element: PathElement) => JsonValue,
): JsonValue[] {
  const inConfig = new Set(desired);
  const inLive = new Set(present.map(({ element }) => element));
  const shared = desired.filter((element) => inLive.has(element));
  const done = new Set<PathElement>();
  const result: JsonValue[] = [];
  let nextShared = 0;
  let left = 0;
  let right = 0;
  while (left < present.length || right < desired.length) {
    const own = present[left];
    const next = desired[right];
    if (own !== undefined && next !== undefined) {
      if (own.element === next) {
        done.add(next);
        result.push(merged(next));
        left++;
        right++;
        nextShared++;
        continue;
      }
      const awaited = shared[nextShared];
      // The configuration moved this element: it is inserted at its new place.
      if (own.element !== undefined && inConfig.has(own.element) && awaited !== undefined && awaited !== own.element) {
        left++;
        continue;
      }
    }
    if (own !== undefined) {
      if (own.element === undefined || !inConfig.has(own.element)) {
        result.push(own.item);
        left++;
        continue;
      }
      if (done.has(own.element)) left++;
    }
    if (next !== undefined) {
      done.add(next);
      result.push(merged(next));
      right++;
      if (shared[nextShared] === next) nextShared++;
    }
  }
  return result;
}
