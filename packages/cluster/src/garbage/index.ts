/**
 * What keeps the API itself true: names of definitions, emptying of namespaces, garbage of owners.
 *
 * Takes: changes from `storage`. Gives: writes through `registry`.
 *
 * @module
 */
export { Housekeeping } from "./housekeeping.js";
