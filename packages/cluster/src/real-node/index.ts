/**
 * A real node on this machine: containerd, CoreDNS, and an unmodified kubelet and kube-proxy, in a network namespace of their own. It joins any cluster whose
 * API server listens at its `hostAddress`. Linux only, as root.
 *
 * @module
 */
export { publishApiServer } from "./endpoint-slices.js";
export { type ImageContent, type ImageFile, imageArchive } from "./image-archive.js";
export type { ServerAddress } from "./join-cluster.js";
export { type NodeImageContent, nodeImage } from "./node-image.js";
export { removeLeftovers } from "./node-state.js";
export { installedNodePrograms, missingForRealNode, type NodePrograms } from "./requirements.js";
export {
  type NodePlace,
  type NodeProgram,
  type NodeProgramName,
  placeRealNode,
  type RealNode,
  type RealNodeOptions,
} from "./start-real-node.js";
