/**
 * A real control plane for tests: kube-apiserver and etcd, which never outlive the test process.
 *
 * @module
 */
export { type BinaryName, findBinary, realCacheDir } from "./binaries.js";
export { type ControlPlaneUser, kubeconfigText, type TokenUser } from "./control-plane-user.js";
export { unsupportedReason } from "./platform.js";
export { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "./start-control-plane.js";
