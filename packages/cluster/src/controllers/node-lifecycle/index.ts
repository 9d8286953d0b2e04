/**
 * The node lifecycle, taint eviction and Pod garbage collection controllers.
 *
 * @module
 */
export { nodeLifecycleController } from "./node-lifecycle-controller.js";
export { podGarbageCollector } from "./pod-garbage-collector.js";
export { taintEvictionController } from "./taint-eviction-controller.js";
