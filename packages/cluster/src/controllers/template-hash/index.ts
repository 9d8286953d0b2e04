/**
 * Pod template hashes for names and labels, and template comparison.
 *
 * @module
 */
export { canonicalJson } from "./canonical-json.js";
export { hashLabel, isSameTemplate } from "./same-template.js";
export { templateHash } from "./template-hash.js";
