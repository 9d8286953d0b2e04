import { copyFields, getOwn, goPrint, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json/index.js";
import { fieldSchema, itemSchema, keywordOf, type Schema } from "../schema/index.js";
import { PatchError } from "./patch-error.js";
import { checkOrder, mergeInOrder } from "./strategic-order.js";

const directive = "$patch";
const retainKeys = "$retainKeys";
const deletePrefix = "$deleteFromPrimitiveList/";
const orderPrefix = "$setElementOrder/";
const dollar = "$".charCodeAt(0);

/**
 * Applies a strategic merge patch: a merge patch that merges lists by the merge keys of the schema.
 *
 * Supports `$patch: replace | delete`, `$deleteFromPrimitiveList/<field>`, `$setElementOrder/<field>` and
 * `$retainKeys`. Does not modify its input; the result shares unchanged parts. Lists without a patch strategy are replaced.
 * Throws a {@link PatchError} if a directive is malformed or a list element lacks its merge key.
 */
export function applyStrategicMergePatch(
  target: JsonObject,
  patch: JsonObject,
  schema: Schema | undefined,
): JsonObject {
  return mergeMap(target, patch, schema);
}

function mergeMap(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  const marker = getOwn(patch, directive);
  if (marker === "replace") return withoutDirective(patch);
  if (marker === "delete") return {};
  if (marker !== undefined) throw invalid(`unknown patch type: ${goPrint(marker)} in map: ${goPrint(patch)}`);

  const keys = Object.keys(patch);
  if (!keys.some(isDirective)) {
    const merged = copyFields(original);
    for (const key of keys) mergeField(merged, key, patch[key] ?? null, fieldSchema(schema, key));
    return sameOr(original, merged);
  }
  const result = keepRetained(original, patch);
  const ordered = mergeOrderedLists(result, patch, schema);
  const deletions: [string, JsonValue][] = [];
  for (const [key, change] of Object.entries(patch)) {
    if (key === retainKeys || key.startsWith(orderPrefix) || ordered.has(key)) continue;
    if (key.startsWith(deletePrefix)) deletions.push([key.slice(deletePrefix.length), change]);
    else mergeField(result, key, change, fieldSchema(schema, key));
  }
  for (const [key, values] of deletions) {
    const current = getOwn(result, key);
    if (!Array.isArray(values)) throw invalid("invalid patch format of primitive list");
    if (Array.isArray(current))
      setOwn(
        result,
        key,
        current.filter((item) => !values.includes(item)),
      );
  }
  return sameOr(original, result);
}

function isDirective(key: string): boolean {
  return key.charCodeAt(0) === dollar;
}

/** The original if nothing changed, else the result. */
function sameOr(original: JsonObject, result: JsonObject): JsonObject {
  const keys = Object.keys(result);
  if (keys.length !== Object.keys(original).length) return result;
  for (const key of keys) if (getOwn(original, key) !== result[key]) return result;
  return original;
}

function mergeField(
  result: Record<string, JsonValue>,
  key: string,
  change: JsonValue,
  schema: Schema | undefined,
): void {
  if (change === null) {
    delete result[key];
    return;
  }
  const current = getOwn(result, key);
  if (isJsonObject(current) && isJsonObject(change)) {
    setOwn(result, key, hasStrategy(schema, "replace") ? change : mergeMap(current, change, schema));
  } else if (Array.isArray(current) && Array.isArray(change)) {
    setOwn(result, key, mergeList(current, change, schema));
  } else {
    const cleaned = clean(change);
    if (cleaned === undefined) delete result[key];
    else setOwn(result, key, cleaned);
  }
}

function mergeList(original: readonly JsonValue[], patch: readonly JsonValue[], schema: Schema | undefined): JsonValue {
  if (!hasStrategy(schema, "merge")) return patch;
  if (!areObjects(original) || !areObjects(patch)) {
    const elements = [...original, ...patch];
    if (Array.isArray(elements[0])) throw invalid("lists of lists are not supported");
    if (elements.some((element) => typeof element === "object" && element !== null))
      throw invalid(`list element types are not identical: ${goPrint([original, patch])}`);
    return mergeInOrder({ merged: [...new Set(elements)], patchOrder: patch, serverOrder: original });
  }
  if (original.length + patch.length === 0) return original;
  const mergeKey = keywordOf(schema, "x-kubernetes-patch-merge-key");
  if (mergeKey === undefined) throw invalid("cannot merge lists without merge key");
  const merged = mergeListOfMaps(original, patch, mergeKey, itemSchema(schema));
  const isSame = merged.length === original.length && merged.every((item, index) => item === original[index]);
  return isSame ? original : merged;
}

function areObjects(list: readonly JsonValue[]): list is readonly JsonObject[] {
  return list.every(isJsonObject);
}

function mergeListOfMaps(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  schema: Schema | undefined,
): readonly JsonValue[] {
  const ordinary = patch.filter((element) => !Object.hasOwn(element, directive));
  let server = original;
  let replaces = false;
  for (const element of patch) {
    const marker = getOwn(element, directive);
    if (marker === undefined) continue;
    if (marker === "replace") replaces = true;
    else if (marker === "merge") throw invalid("merging lists cannot yet be specified in the patch");
    else if (marker !== "delete") throw invalid(`unknown patch type: ${goPrint(marker)} in map: ${goPrint(element)}`);
    else {
      const value = keyValue(element, mergeKey);
      server = server.filter((candidate) => getOwn(candidate, mergeKey) !== value);
    }
  }
  if (replaces) return ordinary;

  const merged = [...server];
  for (const element of ordinary) {
    const value = keyValue(element, mergeKey);
    const index = merged.findIndex((candidate) => getOwn(candidate, mergeKey) === value);
    const current = merged[index];
    // A new element is added unchanged: kube-apiserver ignores directives in it.
    if (current === undefined) merged.push(element);
    else merged[index] = mergeMap(current, element, schema);
  }
  return mergeInOrder({ merged, patchOrder: ordinary, serverOrder: server, mergeKey });
}

/** Merges the lists that have a `$setElementOrder`, and returns their fields. */
function mergeOrderedLists(
  result: Record<string, JsonValue>,
  patch: JsonObject,
  schema: Schema | undefined,
): Set<string> {
  const done = new Set<string>();
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(orderPrefix.slice(0, -1))) continue;
    if (!key.startsWith(orderPrefix) || !Array.isArray(order))
      throw invalid("invalid patch format of setElementOrder list");
    const field = key.slice(orderPrefix.length);
    const current = getOwn(result, field);
    const change = getOwn(patch, field);
    // Deleting the whole list needs no order.
    if (change === null || (current === undefined && change === undefined)) continue;
    if (current !== undefined && current !== null && !Array.isArray(current)) throw invalid(`"${field}" is not a list`);
    if (change !== undefined && !Array.isArray(change)) throw invalid(`"${field}" is not a list`);
    const listSchema = fieldSchema(schema, field);
    const mergeKey = keywordOf(listSchema, "x-kubernetes-patch-merge-key");
    checkOrder({ patch: Array.isArray(change) ? change : [], order, mergeKey });
    const merged = !Array.isArray(change)
      ? current
      : Array.isArray(current)
        ? mergeList(current, change, listSchema)
        : (clean(change) ?? []);
    setOwn(
      result,
      field,
      mergeInOrder({
        merged: Array.isArray(merged) ? merged : [],
        patchOrder: order,
        serverOrder: Array.isArray(current) ? current : [],
        mergeKey,
      }),
    );
    done.add(field);
  }
  return done;
}

/** A copy of the original with only the fields that `$retainKeys` names. */
function keepRetained(original: JsonObject, patch: JsonObject): Record<string, JsonValue> {
  const retained = getOwn(patch, retainKeys);
  if (retained === undefined) return copyFields(original);
  if (!Array.isArray(retained)) throw invalid("invalid patch format of retainKeys");
  for (const [key, change] of Object.entries(patch)) {
    if (key === retainKeys || change === null || key.startsWith(deletePrefix) || key.startsWith(orderPrefix)) continue;
    if (!retained.includes(key)) throw invalid("invalid patch format of retainKeys");
  }
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(original)) {
    if (retained.includes(key)) setOwn(result, key, value);
  }
  return result;
}

/** The value of a patch for a missing field: without nulls, and without maps that have a directive. */
function clean(value: JsonValue): JsonValue | undefined {
  if (isClean(value)) return value;
  if (Array.isArray(value)) return value.map(clean).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  const result: Record<string, JsonValue> = {};
  for (const [key, field] of Object.entries(value)) {
    const cleaned = field === null ? undefined : clean(field);
    if (cleaned !== undefined) setOwn(result, key, cleaned);
  }
  return result;
}

function isClean(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).every(isClean);
  const fields = value as JsonObject;
  for (const key in fields)
    if (fields[key] === null || key === directive || !isClean(fields[key] ?? null)) return false;
  return true;
}

function withoutDirective(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== directive));
}

function keyValue(element: JsonObject, mergeKey: string): JsonValue {
  const value = getOwn(element, mergeKey);
  if (value === undefined) throw invalid(`map: ${goPrint(element)} does not contain declared merge key: ${mergeKey}`);
  return value;
}

/** Whether the patch strategies of a schema include this one. */
function hasStrategy(schema: Schema | undefined, strategy: "merge" | "replace"): boolean {
  const strategies = keywordOf(schema, "x-kubernetes-patch-strategy");
  return strategies !== undefined && (strategies === strategy || strategies.split(",").includes(strategy));
}

function invalid(message: string): PatchError {
  return new PatchError("API_BAD_REQUEST", message);
}
