/**
 * The controllers of kube-controller-manager, written as ordinary controllers of the framework.
 *
 * @module
 */
export type { ExpressionWarnings } from "./policy-status/index.js";
export {
  isDefaultClass,
  localClass,
  localProvisioner,
  simulatedProvisioner,
  standardClass,
  storageProvisioner,
  type VolumeStore,
} from "./provisioner/index.js";
export { type ControllerServices, workloadControllers } from "./workload-controllers.js";
