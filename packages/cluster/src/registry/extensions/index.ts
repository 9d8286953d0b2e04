/**
 * What the server can be given because it cannot do it by itself: evaluation of rules, conversion by webhooks.
 *
 * @module
 */
export { type Extensions, noExtensions } from "./extensions.js";
export type { ConversionWebhook, ObjectConverter } from "./object-converter.js";
