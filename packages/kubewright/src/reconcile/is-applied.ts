import type { ManagedFieldsEntry } from "@kubewright/core/identity";
import {
  deepEqual,
  getOwn,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  parseJson,
} from "@kubewright/core/json";
import { isOmitted, isStoredByStructs, withCanonicalQuantities } from "./server-form.js";

/**
 * Whether an apply of `desired` by `manager` would change nothing in `live`: every field that it gives is there with that value and is
 * owned by the manager, and the manager owns nothing else.
 *
 * The manager's own field set in `live` shows how the server sees each list and map (by key, as a set, or as one value), so no schema
 * is needed, and fields that the server filled in do not count. Values that the server stores in another form count where that form is known. In
 * doubt it returns false: an extra apply does no harm.
 */
export function isApplied(live: JsonObject, desired: JsonObject, manager: string): boolean {
  const entry = appliedEntry(live, manager);
  const { apiVersion } = desired;
  if (entry?.fieldsV1 === undefined || entry.apiVersion !== apiVersion) return false;
  return covers(ownable(desired), live, entry.fieldsV1 as JsonObject, isStoredByStructs(apiVersion));
}

/** The managedFields entry of a manager's applies; undefined where it has none, or several of different versions. */
export function appliedEntry(live: JsonObject, manager: string): ManagedFieldsEntry | undefined {
  const metadata = live["metadata"];
  const entries = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
  if (!Array.isArray(entries)) return undefined;
  const mine = (entries as unknown as readonly ManagedFieldsEntry[]).filter(
    (entry) => entry.manager === manager && entry.operation === "Apply" && (entry.subresource ?? "") === "",
  );
  return mine.length === 1 ? mine[0] : undefined;
}

/** The object without its identity fields, which no manager owns. */
function ownable({ apiVersion: _, kind: __, metadata, ...rest }: JsonObject): JsonObject {
  if (!isJsonObject(metadata)) return rest as JsonObject;
  const { name: _name, namespace: _namespace, ...owned } = metadata;
  return (Object.keys(owned).length === 0 ? rest : { ...rest, metadata: owned }) as JsonObject;
}

function covers(desired: JsonValue, live: JsonValue | undefined, owned: JsonObject, byStructs: boolean): boolean {
  if (isJsonObject(desired)) {
    // An empty map that is given owns itself only: entries of other managers stay.
    if (membersOf(owned).length === 0)
      return Object.keys(desired).length === 0 ? isJsonObject(live) : deepEqual(desired, live);
    return isJsonObject(live) && coversFields(desired, live, owned, byStructs);
  }
  const members = membersOf(owned);
  if (Array.isArray(desired)) {
    if (members.length === 0) return deepEqual(desired, live);
    if (!Array.isArray(live)) return false;
    return members.every((member) => member.startsWith("v:"))
      ? coversSet(desired, live, members)
      : coversList(desired, live, owned, byStructs);
  }
  return desired !== null && members.length === 0 && desired === live;
}

function membersOf(owned: JsonObject): readonly string[] {
  return Object.keys(owned).filter((member) => member !== ".");
}

function coversFields(desired: JsonObject, live: JsonObject, owned: JsonObject, byStructs: boolean): boolean {
  let owning = 0;
  for (const [field, value] of Object.entries(desired)) {
    const node = getOwn(owned, `f:${field}`);
    const current = getOwn(live, field);
    if (isJsonObject(node)) owning += 1;
    // An empty list by key or of a set owns nothing: it only has to be there.
    if (isJsonObject(node) ? covers(value, current, node, byStructs) : isEmptyList(value) && Array.isArray(current))
      continue;
    if (!byStructs || !coversServerForm(field, value, current, node)) return false;
  }
  return owning === membersOf(owned).length;
}

/** As {@link covers}, for a value that a Go struct changes. `owned`: undefined where no field of it is owned. */
function coversServerForm(
  field: string,
  desired: JsonValue,
  live: JsonValue | undefined,
  owned: JsonValue | undefined,
): boolean {
  if (!isJsonObject(owned)) return live === undefined && isEmptyList(desired);
  if (live === undefined) return isOmitted(field, desired);
  const printed = withCanonicalQuantities(field, desired);
  return printed !== undefined && covers(printed, live, owned, true);
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

function coversSet(desired: JsonArray, live: JsonArray, members: readonly string[]): boolean {
  if (desired.length !== members.length) return false;
  const values = members.map((member) => parse(member.slice(2)));
  if (!desired.every((item) => values.some((value) => deepEqual(item, value)))) return false;
  return inOrder(desired.map((item) => live.findIndex((other) => deepEqual(item, other))));
}

function coversList(desired: JsonArray, live: JsonArray, owned: JsonObject, byStructs: boolean): boolean {
  const members = membersOf(owned);
  if (desired.length !== members.length) return false;
  const positions: number[] = new Array(desired.length).fill(-1);
  for (const member of members) {
    const key = member.startsWith("k:") ? parse(member.slice(2)) : undefined;
    const node = getOwn(owned, member);
    if (!isJsonObject(key) || !isJsonObject(node)) return false;
    // A key field that is left out was filled in by the server; two items that match the same key are indistinguishable here.
    const fitting = desired.flatMap((item, index) => (fits(item, key, true) ? [index] : []));
    const at = live.findIndex((item) => fits(item, key, false));
    const [index] = fitting;
    const item = index === undefined ? undefined : desired[index];
    if (fitting.length !== 1 || index === undefined || item === undefined || at < 0 || positions[index] !== -1)
      return false;
    if (!covers(item, live[at], node, byStructs)) return false;
    positions[index] = at;
  }
  return inOrder(positions);
}

function fits(item: JsonValue | undefined, key: JsonObject, missingFits: boolean): boolean {
  if (!isJsonObject(item)) return false;
  return Object.entries(key).every(([field, value]) => {
    const given = getOwn(item, field);
    return given === undefined ? missingFits : deepEqual(given, value);
  });
}

/** An apply puts its items into its own order. */
function inOrder(positions: readonly number[]): boolean {
  return positions.every(
    (position, index) => position >= 0 && (index === 0 || position > (positions[index - 1] ?? -1)),
  );
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
