import { OperatorError } from "../errors/index.js";
import { copyFields, deepEqual, getOwn, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { fieldSchema, itemSchema, type Schema } from "../schema/index.js";
import { elementOf, mergeShape, requireElement } from "./merge-shape.js";
import { fieldElement, type PathElement, printElement } from "./path-element.js";

/**
 * Lays an applied configuration over a live value: what it names is taken from it, everything else stays.
 *
 * Changes no input; shares what is equal. Throws an API_BAD_REQUEST error where a list of the configuration has two
 * elements of one key, or one without a key.
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
  // A null for a map or a list that merges leaves what is there.
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
  const wanted = new Map<PathElement, JsonValue>();
  for (const [index, item] of config.entries()) {
    const element = requireElement(item, schema, path, index);
    if (wanted.has(element)) {
      throw new OperatorError("API_BAD_REQUEST", `${path}: duplicate entries for key ${printElement(element)}`);
    }
    wanted.set(element, item);
  }
  const present: { readonly element: PathElement | undefined; readonly item: JsonValue }[] = [];
  const liveItems = new Map<PathElement, JsonValue | undefined>();
  for (const item of live) {
    const found = elementOf(item, schema);
    const element = "element" in found ? found.element : undefined;
    present.push({ element, item });
    // Duplicates that were stored cannot be told apart: the configuration replaces them.
    if (element !== undefined) liveItems.set(element, liveItems.has(element) ? undefined : item);
  }
  const merged = (element: PathElement): JsonValue =>
    mergeValues(liveItems.get(element), wanted.get(element) ?? null, itemSchema(schema), path + printElement(element));
  const result = interleave(present, [...wanted.keys()], merged);
  return deepEqual(result, live) ? live : result;
}

/** The order of the result: that of the configuration, with the live list's own elements where they stood. */
function interleave(
  present: readonly { readonly element: PathElement | undefined; readonly item: JsonValue }[],
  wanted: readonly PathElement[],
  merged: (element: PathElement) => JsonValue,
): JsonValue[] {
  const inConfig = new Set(wanted);
  const inLive = new Set(present.map(({ element }) => element));
  const shared = wanted.filter((element) => inLive.has(element));
  const done = new Set<PathElement>();
  const result: JsonValue[] = [];
  let nextShared = 0;
  let left = 0;
  let right = 0;
  while (left < present.length || right < wanted.length) {
    const own = present[left];
    const next = wanted[right];
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
      // The configuration moved this element: it comes where the configuration has it.
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
