/**
 * Service accounts that namespaces have by themselves.
 *
 * @module
 */
export { serviceAccountController } from "./service-account-controller.js";
export { serviceAccountTokens } from "./token-controller.js";
