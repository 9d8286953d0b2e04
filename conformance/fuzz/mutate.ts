import type { JsonObject, JsonValue } from "@kubewright/core/json";
import type { Chooser } from "./chooser.js";
import { anyValue } from "./random-metadata.js";

/** The path of every value below the root. */
export function placesOf(value: JsonValue, above: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...above, key];
    return [here, ...placesOf(inner as JsonValue, here)];
  });
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: JsonValue, place: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const key of place) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}

/** A copy with another value at a path; `undefined` removes it. */
export function withValueAt<T extends JsonValue>(value: T, place: readonly string[], inner: JsonValue | undefined): T {
  const copy = structuredClone(value);
  const last = place.at(-1);
  const holder = valueAt(copy, place.slice(0, -1));
  if (last === undefined || typeof holder !== "object" || holder === null) return copy;
  if (Array.isArray(holder)) holder.splice(Number(last), 1, ...(inner === undefined ? [] : [inner]));
  else if (inner === undefined) delete (holder as Record<string, JsonValue>)[last];
  else Object.defineProperty(holder, last, { value: inner, enumerable: true, writable: true, configurable: true });
  return copy;
}

/** The object with one error: a value of another type, a missing field, or an unknown field. */
export function mutated(choose: Chooser, object: JsonObject): JsonObject {
  const places = placesOf(object).filter((place) => place.join(".") !== "metadata.name");
  if (places.length === 0) return object;
  const place = choose.of(places);
  switch (choose.below(4)) {
    case 0:
      return withValueAt(object, place, undefined);
    case 1:
      return withValueAt(object, [...place.slice(0, -1), choose.of(["unknown", "Name", "KIND"])], anyValue(choose));
    default: {
      const value = anyValue(choose);
      // The garbage collector would delete a stored object with a missing owner asynchronously.
      const isOwner = place.join(".").startsWith("metadata.ownerReferences.");
      return isOwner && typeof value === "string" && value !== "" ? object : withValueAt(object, place, value);
    }
  }
}
