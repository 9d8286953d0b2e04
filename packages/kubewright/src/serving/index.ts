/**
 * Serving certificates of an operator's metrics and webhook servers.
 *
 * @module
 */
export { type CertificatePair, readCertificatePair } from "./certificate-pair.js";
