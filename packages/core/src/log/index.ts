/**
 * Structured logging with an injected logger.
 *
 * @module
 */
export { type LogFields, type Logger, silentLogger } from "./logger.js";
export { safeLogger } from "./safe-logger.js";
