/**
 * JSON values: types, copies, comparison, freezing.
 *
 * @module
 */
export type { DeepReadonly } from "./deep-readonly.js";
export { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./json-value.js";
