/**
 * Shared by the workload controllers: Pod state, deletion order, creation and deletion.
 *
 * @module
 */
export { podsToDelete } from "./deletion-order.js";
export { type PodBody, podFromTemplate, podNamePrefix, type TemplateView } from "./pod-from-template.js";
export {
  hasPodEnded,
  isPodActive,
  isPodAvailable,
  isPodReady,
  isPodTerminating,
  nextAvailableInMs,
  type PodView,
} from "./pod-state.js";
export { podsByController } from "./pods-by-controller.js";
export { makePod, type PodActions, removePod } from "./recorded-pods.js";
export { isNamespaceTerminating, serverText } from "./server-text.js";
export { slowStart } from "./slow-start.js";
