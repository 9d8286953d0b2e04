/**
 * Gives pods their nodes, as kube-scheduler does.
 *
 * @module
 */
export { tolerates } from "./node-selection.js";
export { schedulerControllers } from "./scheduler-controllers.js";
