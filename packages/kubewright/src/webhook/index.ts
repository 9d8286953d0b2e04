/**
 * Webhooks: how objects are defaulted, validated and converted on their way to storage.
 *
 * Takes: what `webhooks` declares, and resources with conversion functions. Gives: responses to the AdmissionReviews and ConversionReviews of an API
 * server, over HTTPS or without a socket.
 *
 * @module
 */

export type {
  AdmissionContext,
  AnyAdmissionContext,
  ConnectContext,
  DefaultContext,
  DeleteContext,
  ListedKind,
  UsedKind,
  ValidateContext,
} from "./admission-context.js";
export type { AdmissionReads, ReadName, ReadScope } from "./admission-reads.js";
export type {
  AdmissionKind,
  AdmissionOperation,
  AdmissionRequest,
  AdmissionResource,
  AdmissionUser,
} from "./admission-request.js";
export type {
  AdmittedEviction,
  AdmittedObject,
  DraftMeta,
  DraftOf,
  PodPortForwardOptions,
  PodStreamOptions,
  ProxyOptions,
  SubresourceObjects,
  ValidatedObject,
} from "./admitted-object.js";
export { CachedReads, readerOf } from "./cached-reads.js";
export {
  type CertificateRules,
  type CertificateTargets,
  type CertificateTimes,
  certificateRules,
  type ManageCertificatesOptions,
  type ManagedCertificates,
  manageCertificates,
} from "./certificates/index.js";
export type { Denial, Deny, FieldDenial } from "./deny.js";
export { type InstallWebhooksOptions, installWebhooks } from "./install-webhooks.js";
export { type RawWebhookContext, type RawWebhookOptions, rawWebhook } from "./raw-webhook.js";
export { serveWebhooks } from "./serve-webhooks.js";
export {
  type CertificateSource,
  certificateFiles,
  fixedCertificate,
  type ServingCertificate,
} from "./serving-certificate.js";
export {
  type AdmissionEndpoint,
  type AdmissionFunction,
  type AdmissionRule,
  requireOwnPaths,
  type Webhook,
  webhookAccess,
} from "./webhook.js";
export {
  type WebhookAddress,
  type WebhookConfiguration,
  type WebhookConfigurationOptions,
  webhookConfigurations,
  webhookNames,
} from "./webhook-configurations.js";
export {
  createWebhookHandler,
  type HandleOptions,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from "./webhook-handler.js";
export type { WebhookServer, WebhookServerOptions } from "./webhook-options.js";
export type { MatchCondition, WebhookCallOptions, WebhookSettings } from "./webhook-settings.js";
export { type WebhookTargets, webhookTargets } from "./webhook-targets.js";
export { type WebhookOptions, webhooks } from "./webhooks.js";
