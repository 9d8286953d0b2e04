/**
 * Keeps one pod on each node: DaemonSets.
 *
 * @module
 */
export { daemonSetController } from "./daemon-set-controller.js";
