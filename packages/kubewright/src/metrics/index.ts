/**
 * Prometheus metrics with the names of controller-runtime, client-go and workqueue.
 *
 * @module
 */
export { MeteredTransport, type RequestCounter } from "./metered-transport.js";
export {
  type CacheGauges,
  type ConditionGauge,
  type ControllerMetrics,
  createMetrics,
  type OperatorMetrics,
  type QueueGauges,
  type ReconcileResult,
  type UserMetric,
  type WebhookMetrics,
} from "./operator-metrics.js";
