/**
 * Calls webhooks without a cluster.
 *
 * @module
 */
export { type AdmitRequest, type Admitted, admit } from "./admit.js";
