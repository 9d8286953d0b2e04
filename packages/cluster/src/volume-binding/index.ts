/**
 * PersistentVolume binding: which PV matches a PVC, and the annotations of both. Shared by PV controller, scheduler and provisioner.
 *
 * @module
 */

export {
  bindingMismatch,
  classOf,
  findMatchingVolume,
  isVolumeBoundToClaim,
  type ReadPv,
  type ReadPvc,
  sameVolumeMode,
} from "./matching-volume.js";
export {
  bindCompleted,
  boundByController,
  provisionedBy,
  provisionerAnnotations,
  selectedNode,
} from "./volume-annotations.js";
