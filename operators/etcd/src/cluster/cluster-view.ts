import type { ReadOf } from "kubewright";
import type { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import type { EtcdConnection, EtcdMember, EtcdMemberStatus } from "../members/etcd-members.js";

export type ReadPod = ReadOf<typeof Pod>;
export type ReadVolumeClaim = ReadOf<typeof PersistentVolumeClaim>;

/** Everything known about one member: its Pod, its volume, its entry in etcd's member list, and what it reports. Each may be missing. */
export interface MemberView {
  readonly name: string;
  readonly pod: ReadPod | undefined;
  readonly volume: ReadVolumeClaim | undefined;
  /** Its entry in the member list that a quorum agrees on. */
  readonly entry: EtcdMember | undefined;
  /** Undefined if it does not respond. */
  readonly status: EtcdMemberStatus | undefined;
}

/** What a run observed. */
export interface ClusterView {
  readonly members: readonly MemberView[];
  /** The member list of a quorum; undefined without a quorum. */
  readonly list: readonly EtcdMember[] | undefined;
  /** Without a quorum: the member list of the survivor with the newest log. */
  readonly lastList: readonly EtcdMember[] | undefined;
  /** Any member that takes part in the quorum: for requests that it forwards to the leader. */
  readonly endpoint: EtcdConnection | undefined;
  readonly leader: MemberView | undefined;
}
