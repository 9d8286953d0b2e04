/**
 * JSONPath as kubectl and printer columns use it.
 *
 * @module
 */
export { type JsonPath, parseJsonPath } from "./json-path.js";
export { JsonPathError } from "./json-path-error.js";
export { type Comparison, parseSteps, type Step } from "./parse-steps.js";
