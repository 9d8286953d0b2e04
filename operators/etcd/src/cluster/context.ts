import { live, may, type ReconcileContext, type Selected, select } from "kubewright";
import { PersistentVolumeClaim, Pod, Secret, Service } from "kubewright/k8s/core/v1";
import { StorageClass } from "kubewright/k8s/storage/v1";
import type { Live, May } from "kubewright/types";
import type { EtcdConnection, EtcdMembers } from "../members/etcd-members.js";
import { EtcdBackup } from "../resources/etcd-backup.js";
import type { EtcdCluster } from "../resources/etcd-cluster.js";
import { EtcdRestore } from "../resources/etcd-restore.js";
import type { ClusterView, MemberView } from "./cluster-view.js";

const ofEtcd = { labels: { app: "etcd" } };
/** Everything that a cluster consists of; only these are cached. */
export const clusterOwns: readonly [
  Selected<typeof Pod, never>,
  Selected<typeof PersistentVolumeClaim, never>,
  Selected<typeof Service, never>,
] = [select(Pod, ofEtcd), select(PersistentVolumeClaim, ofEtcd), select(Service, ofEtcd)];
/** Secrets are read from the server in each run: caching them would need the permission to list all of them. */
export const clusterUses: readonly [
  Live<typeof Secret>,
  typeof StorageClass,
  typeof EtcdBackup,
  May<typeof EtcdRestore, "create">,
] = [live(Secret, { unwatched: true }), StorageClass, EtcdBackup, may(EtcdRestore, "create")];

export type ClusterContext = ReconcileContext<typeof EtcdCluster, typeof clusterOwns, typeof clusterUses, readonly []>;

/** What a step works with: what the run observed, and how it acts. */
export interface ClusterRun {
  readonly context: ClusterContext;
  readonly view: ClusterView;
  readonly etcd: EtcdMembers;
  /** How to reach one member; undefined without a Pod. */
  connect(member: MemberView): EtcdConnection | undefined;
  /** The version of new Pods: that of the spec, if the members can be upgraded to it. */
  readonly version: string;
}

/** Conditions that exist only while something happens. */
export const progressConditions = ["Recovering", "Scaling", "Upgrading", "Defragmenting"] as const;

/** A step that changed something, or waits for something: the run ends, and the next one follows. */
export interface Progress {
  /** The condition that it set. */
  readonly shows?: (typeof progressConditions)[number];
  /** When to look again, if no watch event comes first. */
  readonly again: `${number}s` | 0;
}

/** One concern of the operator. Returns undefined when there is nothing to do: the run goes on with the next step. */
export type Step = (run: ClusterRun) => Promise<Progress | undefined>;
