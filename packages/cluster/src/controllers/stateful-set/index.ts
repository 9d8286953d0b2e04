/**
 * Keeps pods with identities: StatefulSets.
 *
 * @module
 */
export { statefulSetController } from "./stateful-set-controller.js";
