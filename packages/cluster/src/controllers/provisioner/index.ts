/**
 * Volumes that are made for claims, as a provisioner beside the cluster makes them.
 *
 * @module
 */
export { standardClass } from "./standard-class.js";
export { storageProvisioner } from "./storage-provisioner.js";
