/**
 * The three patch forms of Kubernetes, applied to plain values, and the differences that produce them. None changes its input.
 *
 * @module
 */
export { diffJsonPatch, type JsonPatchOperation } from "./diff-json-patch.js";
export { diffStrategicMergePatch } from "./diff-strategic-merge-patch.js";
export { applyJsonPatch } from "./json-patch.js";
export { applyMergePatch, diffMergePatch } from "./merge-patch.js";
export { PatchError } from "./patch-error.js";
export { applyStrategicMergePatch } from "./strategic-merge-patch.js";
