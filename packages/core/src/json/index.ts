/**
 * JSON values: types, copies, comparison, freezing.
 *
 * @module
 */
export { cloneJson } from "./clone-json.js";
export { copyFields } from "./copy-fields.js";
export { deepEqual } from "./deep-equal.js";
export { deepFreeze } from "./deep-freeze.js";
export type { DeepReadonly } from "./deep-readonly.js";
export { goJson } from "./go-json.js";
export { goPrint } from "./go-print.js";
export { goQuote } from "./go-quote.js";
export { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./json-value.js";
export { type NormaliseLimits, normaliseJson } from "./normalise-json.js";
export { getOwn, setOwn } from "./own-property.js";
export { parseJson } from "./parse-json.js";
export { stringifyJson } from "./stringify-json.js";
