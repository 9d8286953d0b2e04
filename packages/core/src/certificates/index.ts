/**
 * Certificates for a server that nobody else vouches for.
 *
 * @module
 */
export {
  CertificateAuthority,
  type CertificatePair,
  type CertificateSubject,
  type SigningOptions,
} from "./certificate.js";
export { type CertificateRequest, parseCertificateRequest } from "./certificate-request.js";
