/**
 * Simulated nodes: kubelets that write statuses and run no containers. And the metrics API, of real nodes too.
 *
 * @module
 */
export type { ServeMetrics } from "./metrics-api.js";
export { type NodeOptions, nodeControllers } from "./node-controllers.js";
export { hasKubelet, isSimulated, type NodeCapacity, silentAnnotation, simulatedAnnotation } from "./node-object.js";
export { type PodLogInput, podLog } from "./pod-logs.js";
export { PodStage, type PodStageSpec, type PodUsageSpec, type UsedResources } from "./pod-stage.js";
export { podStageDefinition } from "./pod-stage-definition.js";
