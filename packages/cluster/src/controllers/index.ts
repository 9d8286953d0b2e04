/**
 * The controllers that make workloads of objects, as kube-controller-manager does. Ordinary controllers of the framework.
 *
 * @module
 */
export { workloadControllers } from "./workload-controllers.js";
