/**
 * Takes requests for containers, nodes and Services. Gives where they go, and forwards them to kubelets and workloads.
 *
 * @module
 */
export type { ConnectTarget } from "./connect-target.js";
export { Forwarder } from "./forwarder.js";
export { kubeletOf } from "./kubelet-endpoint.js";
export { kubeletLog } from "./kubelet-log.js";
export { readTarget } from "./read-target.js";
export { relay, type Upgrade } from "./relay.js";
export { connectionOptions, isConnection, isStreamed, resolveTarget } from "./resolve-target.js";
