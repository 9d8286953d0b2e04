/**
 * The PersistentVolume, ephemeral volume and protection controllers.
 *
 * @module
 */
export { claimController } from "./claim-controller.js";
export { ephemeralClaims } from "./ephemeral-claims.js";
export { attributesProtection, claimProtection, volumeProtection } from "./protection-controllers.js";
export { volumeController } from "./volume-controller.js";
