/**
 * The webhook server, for processes that do not run an operator.
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
  type ServingCertificate,
  serveWebhooks,
  type WebhookServer,
  type WebhookServerOptions,
} from "../webhook/index.js";
