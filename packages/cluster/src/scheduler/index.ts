/**
 * Gives pods their nodes, as kube-scheduler does.
 *
 * @module
 */
export { schedulerControllers } from "./scheduler-controllers.js";
