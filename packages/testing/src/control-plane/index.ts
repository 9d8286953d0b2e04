/**
 * A real control plane for tests: kube-apiserver and etcd, started, stopped, and never left behind.
 *
 * @module
 */
export { type BinaryName, findBinary, realCacheDir } from "./binaries.js";
export { type ControlPlaneUser, kubeconfigText, type TokenUser } from "./control-plane-user.js";
export { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "./start-control-plane.js";
