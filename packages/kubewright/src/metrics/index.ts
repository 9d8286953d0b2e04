/**
 * Prometheus metrics with the names of controller-runtime, client-go and workqueue.
 *
 * @module
 */
export { MeteredTransport, type RequestCounter } from "./metered-transport.js";
export type {
  CacheGauges,
  ConditionGauge,
  ControllerMetrics,
  QueueGauges,
  ReconcileResult,
  UserMetric,
  WebhookMetrics,
} from "./metric-sources.js";
export { createMetrics, type OperatorMetrics } from "./operator-metrics.js";
