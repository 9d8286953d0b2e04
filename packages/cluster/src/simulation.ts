/**
 * The kinds and annotations that control simulated nodes and the Pods on them.
 *
 * @module
 */
export {
  PodStage,
  type PodStageSpec,
  type PodUsageSpec,
  silentAnnotation,
  simulatedAnnotation,
  type UsedResources,
} from "./node/index.js";
