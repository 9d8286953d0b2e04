/**
 * What every server of an operator needs: the serving certificates of metrics and webhooks.
 *
 * @module
 */
export { type CertificatePair, readCertificatePair } from "./certificate-pair.js";
