/**
 * JSON patch, JSON merge patch and strategic merge patch on plain values. None modifies its input.
 *
 * @module
 */
export { diffJsonPatch, type JsonPatchOperation } from "./diff-json-patch.js";
export { applyJsonPatch } from "./json-patch.js";
export { applyMergePatch, diffMergePatch } from "./merge-patch.js";
export { PatchError } from "./patch-error.js";
export { applyStrategicMergePatch } from "./strategic-merge-patch.js";
