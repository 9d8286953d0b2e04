/**
 * The CertificateSigningRequest controllers: approve, sign and clean up CSRs.
 *
 * @module
 */
export { requestApprover } from "./request-approver.js";
export { requestCleaner } from "./request-cleaner.js";
export { requestSigner } from "./request-signer.js";
