/**
 * Hashes that Kubernetes puts into names and labels, to the letter, and which templates are the same.
 *
 * Takes: pod templates. Gives: the texts that a Go controller would have made of them.
 *
 * @module
 */
export { hashLabel, isSameTemplate } from "./same-template.js";
export { templateHash } from "./template-hash.js";
