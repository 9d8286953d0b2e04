/**
 * Webhooks: an HTTPS server for the reviews that an API server sends.
 *
 * Takes: resources with conversion functions. Gives: responses to ConversionReviews.
 *
 * @module
 */
export {
  type CertificateRules,
  type CertificateTargets,
  type CertificateTimes,
  certificateRules,
  type ManageCertificatesOptions,
  type ManagedCertificates,
  manageCertificates,
} from "./certificates/index.js";
export { serveWebhooks } from "./serve-webhooks.js";
export type { ServingCertificate } from "./serving-certificate.js";
export type { WebhookServer, WebhookServerOptions } from "./webhook-options.js";
