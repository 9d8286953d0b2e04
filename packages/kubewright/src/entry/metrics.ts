/**
 * The Prometheus metrics of an operator that is started by `start`; `run` serves them itself.
 *
 * @module
 */
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
} from "../metrics/index.js";
