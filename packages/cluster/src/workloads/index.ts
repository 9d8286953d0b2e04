/**
 * Runs controllers, scheduler and simulated nodes beside the API server, in the same process.
 *
 * @module
 */

export { type PodLogInput, podLog } from "../node/index.js";
export { type RunningWorkloads, startWorkloads, type WorkloadOptions } from "./start-workloads.js";
