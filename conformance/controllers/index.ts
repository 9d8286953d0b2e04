/**
 * What the controllers and the scheduler of Kubernetes make of objects, step by step, and what ours do.
 *
 * @module
 */
export { areas as scenarioAreas } from "./areas/index.js";
export { compareScenarios } from "./compare-live.js";
