/**
 * Dynamic provisioning: creates PersistentVolumes for PVCs, like an external provisioner.
 *
 * @module
 */
export { standardClass } from "./standard-class.js";
export { storageProvisioner } from "./storage-provisioner.js";
