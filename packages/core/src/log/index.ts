/**
 * Logs are data, and a logger is passed in.
 *
 * @module
 */
export { type LogFields, type Logger, silentLogger } from "./logger.js";
