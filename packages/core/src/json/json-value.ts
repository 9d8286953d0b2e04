/** A JSON value. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;
/** An array of JSON values. */
export type JsonArray = readonly JsonValue[];
/** An object of JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a value is an object, not an array, null or a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
