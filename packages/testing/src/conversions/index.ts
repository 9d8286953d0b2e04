/**
 * Checks conversion functions with random objects.
 *
 * @module
 */
export { type ConversionCheckOptions, type ConversionReport, checkConversions } from "./check-conversions.js";
