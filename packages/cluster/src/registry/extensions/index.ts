/**
 * Optional features that are passed to the server: version conversion.
 *
 * @module
 */
export { calledConverter } from "./conversion-caller.js";
export { type Extensions, noExtensions } from "./extensions.js";
export { type ConversionWebhook, InvalidConversion, type ObjectConverter } from "./object-converter.js";
