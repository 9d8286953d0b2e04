/**
 * The node lifecycle, taint eviction and Pod garbage collection controllers.
 *
 * @module
 */
export { nodeLifecycleController } from "./node-lifecycle-controller.js";
export { podCollector } from "./pod-collector.js";
export { taintEvictionController } from "./taint-eviction-controller.js";
