/**
 * Simulated nodes: what kubelets write, without containers.
 *
 * @module
 */
export type { ServeMetrics } from "./metrics-server.js";
export { type NodeOptions, nodeControllers } from "./node-controllers.js";
export { type NodeCapacity, silentAnnotation, simulatedAnnotation } from "./node-object.js";
export { type LogFacts, podLog } from "./pod-logs.js";
export { PodStage, type PodStageSpec, type PodUsageSpec, type UsedResources } from "./pod-stage.js";
export { podStageDefinition } from "./pod-stage-definition.js";
