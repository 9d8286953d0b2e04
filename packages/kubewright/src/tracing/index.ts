/**
 * OpenTelemetry spans for reconciles and requests, loaded only if tracing is enabled.
 *
 * @module
 */
export { createTracing, type OperatorTracing } from "./create-tracing.js";
export type { TracedResult } from "./tracing.js";
