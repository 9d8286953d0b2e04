/**
 * Resource quantities: exact arithmetic, parsing and formatting as in Kubernetes.
 *
 * @module
 */
export { Quantity, type QuantityFormat } from "./quantity.js";
