/**
 * Calls webhooks: over HTTPS as kube-apiserver does, or in process.
 *
 * Takes: the clientConfig of a webhook and a review. Gives: the body of the response, or an error with kube-apiserver's message.
 *
 * @module
 */
export { CallFailure } from "./call-failure.js";
export { serviceResolver } from "./resolve-service.js";
export {
  type ServiceResolver,
  WebhookCaller,
  type WebhookCallerOptions,
  type WebhookTarget,
} from "./webhook-caller.js";
export type { WebhookRequest, WebhookResponse, WebhookTransport } from "./webhook-transport.js";
