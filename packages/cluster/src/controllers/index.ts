/**
 * The controllers of kube-controller-manager, written as ordinary controllers of the framework.
 *
 * @module
 */
export { standardClass } from "./provisioner/index.js";
export { type ControllerServices, workloadControllers } from "./workload-controllers.js";
