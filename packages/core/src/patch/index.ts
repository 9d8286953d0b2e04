/**
 * The three patch forms of Kubernetes, applied to plain values. None changes its input.
 *
 * @module
 */
export { applyJsonPatch } from "./json-patch.js";
export { applyMergePatch, diffMergePatch } from "./merge-patch.js";
export { PatchError } from "./patch-error.js";
export { applyStrategicMergePatch } from "./strategic-merge-patch.js";
