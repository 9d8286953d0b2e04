/**
 * The autoscaler: how many copies of a workload there are, by what they use.
 *
 * @module
 */
export { autoscalerController } from "./autoscaler-controller.js";
