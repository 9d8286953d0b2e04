/**
 * The CertificateSigningRequest controllers: approve, sign and clean up CSRs.
 *
 * @module
 */
export { csrApprover } from "./csr-approver.js";
export { csrCleaner } from "./csr-cleaner.js";
export { csrSigner } from "./csr-signer.js";
