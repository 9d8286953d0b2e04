/**
 * Simulated nodes: what kubelets write, without containers.
 *
 * @module
 */
export { type NodeOptions, nodeControllers } from "./node-controllers.js";
