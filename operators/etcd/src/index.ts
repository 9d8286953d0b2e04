/**
 * The etcd operator: a stateful application that is created, scaled, upgraded, repaired, backed up and recovered.
 *
 * @module
 */
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
