/**
 * The controllers of the API server itself: CustomResourceDefinitions, namespace deletion, garbage collection.
 *
 * Takes: changes from `storage`. Returns: writes through `registry`.
 *
 * @module
 */
export { Housekeeping } from "./housekeeping.js";
