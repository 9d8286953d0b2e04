/**
 * Prometheus metrics with the names of controller-runtime, client-go and workqueue.
 *
 * @module
 */
export { MeteredTransport, type RequestCounter } from "./metered-transport.js";
export {
  type CacheGauges,
  type ControllerMetrics,
  createMetrics,
  type OperatorMetrics,
  type QueueGauges,
  type ReconcileResult,
} from "./operator-metrics.js";
