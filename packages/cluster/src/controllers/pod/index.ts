/**
 * Shared by the workload controllers: Pod state, deletion order, creation and deletion.
 *
 * @module
 */
export { podsToDelete } from "./deletion-order.js";
export { createPod, deletePod, type PodActions } from "./pod-control.js";
export { type PodBody, podFromTemplate, podNamePrefix, type TemplateView } from "./pod-from-template.js";
export {
  isPodActive,
  isPodAvailable,
  isPodReady,
  isPodTerminal,
  isPodTerminating,
  nextAvailableInMs,
  type PodView,
} from "./pod-state.js";
export { podsByController } from "./pods-by-controller.js";
export { isNamespaceTerminating, serverMessage } from "./server-message.js";
export { slowStart } from "./slow-start.js";
