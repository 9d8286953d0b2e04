/**
 * Metrics under the names that dashboards of the field know.
 *
 * @module
 */
export { MeteredTransport } from "./metered-transport.js";
export {
  type CacheGauges,
  type ControllerMetrics,
  createMetrics,
  type OperatorMetrics,
  type QueueGauges,
  type ReconcileResult,
} from "./operator-metrics.js";
