/**
 * Scenarios that compare our controllers and scheduler with those of Kubernetes, step by step.
 *
 * @module
 */
export { areas as scenarioAreas } from "./areas/index.js";
export { compareScenarios } from "./compare-live.js";
