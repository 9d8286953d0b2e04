/**
 * The webhook server, for processes that do not run an operator.
 *
 * @module
 */
export {
  type ServingCertificate,
  serveWebhooks,
  type WebhookServer,
  type WebhookServerOptions,
} from "../webhook/index.js";
