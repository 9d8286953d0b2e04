/**
 * The scheduler: binds Pods to nodes, as kube-scheduler does.
 *
 * @module
 */
export { isSelected, tolerates } from "./node-selection.js";
export { schedulerControllers } from "./scheduler-controllers.js";
