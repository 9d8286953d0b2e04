/**
 * The TTL-after-finished controller: deletes finished Jobs after ttlSecondsAfterFinished.
 *
 * @module
 */
export { ttlAfterFinishedController } from "./ttl-after-finished-controller.js";
