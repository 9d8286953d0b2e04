/**
 * Which volumes fit which claims, and what their annotations say: for those who bind them, who schedule pods by them, and who make them.
 *
 * @module
 */
export {
  bindCompleted,
  boundByController,
  provisionedBy,
  provisionerAnnotations,
  selectedNode,
} from "./claim-annotations.js";
export {
  classOf,
  fittingVolume,
  isFor,
  mismatch,
  type ReadClaim,
  type ReadVolume,
  sameMode,
} from "./fitting-volume.js";
