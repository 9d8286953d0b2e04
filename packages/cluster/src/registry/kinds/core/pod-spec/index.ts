/**
 * Defaults and validation of pod specs, in pods and in templates.
 *
 * @module
 */
export { checkNodeSelector } from "./check-affinity.js";
export { checkImagePadding } from "./check-containers.js";
export { checkPodSpec, checkPodTemplate } from "./check-pod-spec.js";
export { checkTolerations } from "./check-scheduling.js";
export { applyPodSpecDefaults, applyPodTemplateDefaults, applySourceDefaults } from "./pod-spec-defaults.js";
