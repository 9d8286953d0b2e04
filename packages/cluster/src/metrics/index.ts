/**
 * Metrics of the embedded API server, in the Prometheus text format and under kube-apiserver's names.
 *
 * @module
 */
export { labelsOf, metric, metricsContentType, sample } from "./metrics-text.js";
export { processMetrics } from "./process-metrics.js";
export { RequestMetrics, type RequestScope, type RequestVerb } from "./request-metrics.js";
