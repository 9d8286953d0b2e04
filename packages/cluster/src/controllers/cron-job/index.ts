/**
 * The CronJob controller: creates Jobs on schedule.
 *
 * @module
 */
export { cronJobController } from "./cron-job-controller.js";
