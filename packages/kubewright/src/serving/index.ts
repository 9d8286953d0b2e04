/**
 * What every server of an operator needs: metrics, health and webhooks have the same certificates.
 *
 * @module
 */
export { type CertificatePair, readCertificatePair } from "./certificate-pair.js";
