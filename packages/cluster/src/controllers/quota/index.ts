/**
 * What the objects of a namespace use of its quotas.
 *
 * @module
 */
export { quotaController } from "./quota-controller.js";
