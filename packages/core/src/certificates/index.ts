/**
 * A self-signed CA, serving and client certificates, and certificate signing requests.
 *
 * @module
 */
export {
  CertificateAuthority,
  type CertificatePair,
  type CertificateSubject,
  type CertificateValidity,
  type SigningOptions,
} from "./certificate.js";
export { type CertificateRequest, parseCertificateRequest } from "./certificate-request.js";
