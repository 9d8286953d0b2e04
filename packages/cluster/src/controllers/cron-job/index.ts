/**
 * Starts Jobs at the times that CronJobs say.
 *
 * @module
 */
export { cronJobController } from "./cron-job-controller.js";
