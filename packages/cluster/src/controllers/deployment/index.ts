/**
 * Rolls new pod templates out: Deployments.
 *
 * @module
 */
export { deploymentController } from "./deployment-controller.js";
