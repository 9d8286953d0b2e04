/**
 * Quantities of resources: exact, and printed as Kubernetes prints them.
 *
 * @module
 */
export { Quantity, type QuantityFormat } from "./quantity.js";
