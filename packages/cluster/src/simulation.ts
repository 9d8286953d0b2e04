/**
 * What pods on simulated nodes do, and which nodes are simulated: the objects by which a test or a person decides it.
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
