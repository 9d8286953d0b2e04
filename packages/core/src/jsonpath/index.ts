/**
 * JSONPath as kubectl and printer columns use it.
 *
 * @module
 */
export { type JsonPath, parseJsonPath } from "./json-path.js";
export { JsonPathError } from "./json-path-error.js";
