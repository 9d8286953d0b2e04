/**
 * Spans of OpenTelemetry for reconciles and requests, loaded only when asked for.
 *
 * @module
 */
export { createTracing, type OperatorTracing } from "./create-tracing.js";
export type { TracedResult } from "./tracing.js";
