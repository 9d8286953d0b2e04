/**
 * The DaemonSet controller: runs one Pod on each eligible node.
 *
 * @module
 */
export { daemonSetController } from "./daemon-set-controller.js";
