/**
 * NodeRestriction: what a kubelet may write.
 *
 * @module
 */
export { nodeRestriction } from "./node-restriction.js";
