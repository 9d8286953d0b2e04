/**
 * The CA and the serving certificate of webhooks, without cert-manager.
 *
 * Takes: the names of a Secret, of webhook configurations and of CRDs. Gives: the certificate to serve, replaced before it expires.
 *
 * @module
 */
export type { CertificateTimes, ManageCertificatesOptions } from "./certificate-options.js";
export { type CertificateRules, certificateRules } from "./certificate-rules.js";
export type { CertificateTargets } from "./cluster-store.js";
export { manageCertificates } from "./manage-certificates.js";
export type { ManagedCertificates } from "./managed-certificates.js";
