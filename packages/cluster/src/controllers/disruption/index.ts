/**
 * How many pods may be taken away.
 *
 * @module
 */
export { disruptionController } from "./disruption-controller.js";
export { staleDisruptions } from "./stale-disruptions.js";
