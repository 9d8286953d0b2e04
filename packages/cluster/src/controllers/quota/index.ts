/**
 * The ResourceQuota controller: recalculates `status.used`.
 *
 * @module
 */
export { quotaController } from "./quota-controller.js";
