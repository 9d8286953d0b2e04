/**
 * The HorizontalPodAutoscaler controller: scales workloads by metrics.
 *
 * @module
 */
export { autoscalerController } from "./autoscaler-controller.js";
