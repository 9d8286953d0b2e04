/**
 * A Kubernetes API server in this process.
 *
 * @module
 */
export { type Cluster, type ClusterOptions, type Listening, startCluster } from "./cluster.js";
