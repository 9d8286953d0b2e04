/**
 * The controllers that every API server needs: CustomResourceDefinitions, namespace deletion, garbage collection.
 *
 * Takes: changes from `storage`. Gives: writes through `registry`.
 *
 * @module
 */
export { Housekeeping } from "./housekeeping.js";
