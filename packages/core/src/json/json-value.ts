/** A JSON value. An integer beyond ±(2^53 − 1) is a `bigint`, because a `number` would lose digits. */
export type JsonValue = null | boolean | number | bigint | string | JsonArray | JsonObject;
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
