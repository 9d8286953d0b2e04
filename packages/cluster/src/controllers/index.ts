/**
 * The controllers that make workloads of objects, as kube-controller-manager does. Ordinary controllers of the framework.
 *
 * @module
 */
export { standardClass } from "./provisioner/index.js";
export { type ControllerServices, workloadControllers } from "./workload-controllers.js";
