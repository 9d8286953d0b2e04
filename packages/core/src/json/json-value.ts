/** A value as JSON can carry it. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;
/** An array of JSON values. */
export type JsonArray = readonly JsonValue[];
/** An object of JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Tells an object from arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
