/**
 * PersistentVolume binding: which PV matches a PVC, and the annotations of both. Shared by PV controller, scheduler and provisioner.
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
