/**
 * Webhooks: reviews that an API server sends to an operator.
 *
 * Takes: resources with conversion functions. Gives: an HTTPS server for ConversionReviews.
 *
 * @module
 */
export { serveWebhooks } from "./serve-webhooks.js";
export type { ServingCertificate } from "./serving-certificate.js";
export type { WebhookServer, WebhookServerOptions } from "./webhook-options.js";
