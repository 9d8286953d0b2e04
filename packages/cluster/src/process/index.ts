/**
 * Identity of operating system processes: what a lock or a state file records about its owner.
 *
 * @module
 */
export {
  isRunning,
  type ProcessIdentity,
  type ProcessTable,
  startTimeOf,
  systemProcesses,
} from "./process-identity.js";
