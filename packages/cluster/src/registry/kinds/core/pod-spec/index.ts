/**
 * The spec of a pod, wherever it stands: what a real server fills in, and what it refuses.
 *
 * @module
 */
export { checkNodeSelector } from "./check-affinity.js";
export { checkPodSpec, checkPodTemplate } from "./check-pod-spec.js";
export { checkTolerations } from "./check-scheduling.js";
export { applyPodSpecDefaults, applyPodTemplateDefaults, applySourceDefaults } from "./pod-spec-defaults.js";
