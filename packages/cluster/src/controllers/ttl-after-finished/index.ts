/**
 * Deletes Jobs some time after their end.
 *
 * @module
 */
export { ttlAfterFinishedController } from "./ttl-after-finished-controller.js";
