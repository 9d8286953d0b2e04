/**
 * The Job controller: runs Pods until enough have succeeded or too many have failed.
 *
 * @module
 */
export { jobControllers } from "./job-controller.js";
export { finishedConditionOf, isJobFinished, type JobView, jobFinishedAtMs } from "./job-pods.js";
