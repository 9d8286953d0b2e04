/**
 * Certificates that the cluster's authority signs for those who request them.
 *
 * @module
 */
export { requestApprover } from "./request-approver.js";
export { requestCleaner } from "./request-cleaner.js";
export { requestSigner } from "./request-signer.js";
