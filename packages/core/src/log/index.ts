/**
 * Structured logging with an injected logger.
 *
 * @module
 */
export { callSafely } from "./call-safely.js";
export { type DebugAware, type LogFields, type Logger, silentLogger, writesDebug } from "./logger.js";
export { safeLogger } from "./safe-logger.js";
