/**
 * The Job controller: runs Pods until enough have succeeded or too many have failed.
 *
 * @module
 */
export { jobControllers } from "./job-controller.js";
export { endOf, isJobFinished, type JobView, jobEndedAtMs } from "./job-pods.js";
