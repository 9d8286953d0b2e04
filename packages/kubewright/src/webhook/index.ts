/**
 * Webhooks: what an API server asks an operator.
 *
 * Takes: definitions with conversion functions. Gives: an HTTPS server that answers reviews.
 *
 * @module
 */
export { serveWebhooks } from "./serve-webhooks.js";
export type { ServingCertificate } from "./serving-certificate.js";
export type { WebhookServer, WebhookServerOptions } from "./webhook-options.js";
