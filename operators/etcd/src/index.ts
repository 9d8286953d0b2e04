/**
 * The etcd operator: a stateful application that is created, scaled, upgraded, repaired, backed up and recovered.
 *
 * @module
 */
import { createEtcdOperator } from "./create-etcd-operator.js";
import { GatewayMembers } from "./members/gateway-members.js";
import { restorePort } from "./restore/restore-server.js";

export type { EtcdOperatorOptions } from "./create-etcd-operator.js";
export { type CheckLimits, checkHistory, type Verdict } from "./history/check-history.js";
export { type LoadOptions, type RecordedLoad, recordLoad } from "./history/etcd-load.js";
export type { Operation, Request } from "./history/operation.js";
export type {
  CallOptions,
  EtcdAlarm,
  EtcdConnection,
  EtcdCredentials,
  EtcdEndpoint,
  EtcdErrorReason,
  EtcdMember,
  EtcdMemberStatus,
  EtcdMembers,
} from "./members/etcd-members.js";
export { EtcdError } from "./members/etcd-members.js";
export { EtcdBackup } from "./resources/etcd-backup.js";
export { EtcdCluster } from "./resources/etcd-cluster.js";
export { EtcdRestore } from "./resources/etcd-restore.js";
export {
  type RestoreData,
  type RestoredMember,
  type RestoreSteps,
  restoreAnnotation,
  restoreDataOf,
  restoreSteps,
} from "./restore/restore-data.js";
export { nodesOf, SimulatedEtcd, type SimulatedNodes } from "./simulation/simulated-etcd.js";
export { createEtcdOperator, GatewayMembers };

/** The operator with real members. Importing it starts nothing. */
export const etcdOperator = createEtcdOperator({ etcd: new GatewayMembers(), restorePort });
