/**
 * MutatingAdmissionWebhook and ValidatingAdmissionWebhook: call the webhooks of webhook configurations.
 *
 * Takes: admission requests, and the stored configurations. Gives: changed objects, warnings, or rejections.
 *
 * @module
 */
export { mutatingWebhooks } from "./mutating-webhooks.js";
export { validatingWebhooks } from "./validating-webhooks.js";
export type { WebhookDependencies } from "./webhook-source.js";
