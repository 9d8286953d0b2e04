/**
 * Webhooks: an HTTPS server for the reviews that an API server sends.
 *
 * Takes: resources with conversion functions. Gives: responses to ConversionReviews.
 *
 * @module
 */
export { serveWebhooks } from "./serve-webhooks.js";
export type { ServingCertificate } from "./serving-certificate.js";
export type { WebhookServer, WebhookServerOptions } from "./webhook-options.js";
