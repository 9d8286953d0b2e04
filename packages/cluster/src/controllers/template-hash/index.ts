/**
 * Hashes that Kubernetes puts into names and labels, to the letter, and which templates are the same.
 *
 * Takes: pod templates, data of revisions. Gives: the texts that a Go controller would have made of them.
 *
 * @module
 */
export { fnv1of32 } from "./fnv.js";
export { safeEncode } from "./safe-encode.js";
export { hashLabel, isSameTemplate } from "./same-template.js";
export { templateHash } from "./template-hash.js";
