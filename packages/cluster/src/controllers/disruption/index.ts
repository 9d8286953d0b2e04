/**
 * The disruption controller: PodDisruptionBudget status and stale DisruptionTarget conditions.
 *
 * @module
 */
export { disruptionController } from "./disruption-controller.js";
export { staleDisruptions } from "./stale-disruptions.js";
