/**
 * The StatefulSet controller: Pods with stable identity and storage.
 *
 * @module
 */
export { statefulSetController } from "./stateful-set-controller.js";
