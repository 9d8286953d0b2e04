/**
 * PodSecurity: the Pod Security Standards that the labels of a namespace choose.
 *
 * @module
 */
export { podSecurity } from "./pod-security.js";
