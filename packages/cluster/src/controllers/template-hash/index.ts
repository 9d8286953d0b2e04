/**
 * Hashes of pod templates in names and labels, and which templates are the same.
 *
 * @module
 */
export { canonicalJson } from "./canonical-json.js";
export { hashLabel, isSameTemplate } from "./same-template.js";
export { templateHash } from "./template-hash.js";
