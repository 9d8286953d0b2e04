/**
 * The Deployment controller: rolls out Pod templates through ReplicaSets.
 *
 * @module
 */
export { deploymentController } from "./deployment-controller.js";
