/**
 * Cron schedules and time zones: the API server validates them, the CronJob controller evaluates them.
 *
 * @module
 */
export { type CronSchedule, parseSchedule } from "./cron-schedule.js";
export { isTimeZone, TimeZone } from "./time-zone.js";
