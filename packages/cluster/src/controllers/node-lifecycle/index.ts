/**
 * What becomes of nodes that are not well, and of the pods on them.
 *
 * @module
 */
export { nodeLifecycleController } from "./node-lifecycle-controller.js";
export { podCollector } from "./pod-collector.js";
export { taintEvictionController } from "./taint-eviction-controller.js";
