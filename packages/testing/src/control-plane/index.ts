/**
 * A real control plane for tests: kube-apiserver and etcd, which never outlive the test process.
 *
 * @module
 */
export { type BinaryName, findBinary, realCacheFolder } from "./binaries.js";
export { type ControlPlaneUser, kubeconfigText } from "./control-plane-user.js";
export { unsupportedReason } from "./platform.js";
export { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "./start-control-plane.js";
