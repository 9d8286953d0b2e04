/**
 * The ServiceAccount controller and the token controller for Secrets.
 *
 * @module
 */
export { serviceAccountController } from "./service-account-controller.js";
export { serviceAccountTokens } from "./token-controller.js";
