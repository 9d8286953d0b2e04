/**
 * Dynamic provisioning: creates PersistentVolumes for PVCs, like an external provisioner.
 *
 * @module
 */
export { simulatedVolumes } from "./simulated-volumes.js";
export {
  isDefaultClass,
  localClass,
  localProvisioner,
  simulatedProvisioner,
  standardClass,
} from "./storage-classes.js";
export { storageProvisioner } from "./storage-provisioner.js";
export type { VolumeStore } from "./volume-store.js";
