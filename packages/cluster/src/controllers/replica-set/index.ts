/**
 * Keeps the wanted number of pods: ReplicaSets, and ReplicationControllers by the same code.
 *
 * @module
 */
export { replicaSetController } from "./replica-set-controller.js";
export { replicationController } from "./replication-controller.js";
