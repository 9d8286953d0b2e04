/**
 * The PersistentVolume, ephemeral volume and protection controllers.
 *
 * @module
 */

export { ephemeralVolumeController } from "./ephemeral-volume-controller.js";
export { pvcProtection, pvProtection, vacProtection } from "./protection-controllers.js";
export { pvController } from "./pv-controller.js";
export { pvcController } from "./pvc-controller.js";
