/**
 * Optional features that are passed to the server: version conversion.
 *
 * @module
 */
export { type Extensions, noExtensions } from "./extensions.js";
export type { ConversionWebhook, ObjectConverter } from "./object-converter.js";
