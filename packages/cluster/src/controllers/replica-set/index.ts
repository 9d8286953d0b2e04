/**
 * The ReplicaSet controller, which also serves ReplicationControllers.
 *
 * @module
 */
export { replicaSetController } from "./replica-set-controller.js";
export { replicationController } from "./replication-controller.js";
