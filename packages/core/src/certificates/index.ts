/**
 * Certificates for a server that nobody else vouches for.
 *
 * @module
 */
export { CertificateAuthority, type CertificatePair, type CertificateSubject } from "./certificate.js";
