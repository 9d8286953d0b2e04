import { type Operator, operator } from "kubewright";
import { etcdBackupController } from "./backup/etcd-backup-controller.js";
import { type EtcdClusterOptions, etcdClusterController } from "./cluster/etcd-cluster-controller.js";
import { EtcdMetrics } from "./cluster/etcd-metrics.js";
import { etcdRestoreController } from "./restore/etcd-restore-controller.js";
import { restoreServer, restoreServerOf } from "./restore/restore-server.js";

export interface EtcdOperatorOptions extends Omit<EtcdClusterOptions, "metrics"> {
  /** Resolves with the image of the operator, for Pods that back up and restore. @default "quay.io/coreos/etcd-operator:v0.9.4" */
  readonly image?: () => Promise<string>;
  /** The Pod of this process; left out where it is not in a Pod. */
  readonly pod?: { readonly namespace: string; readonly name: string };
  /** Where the snapshots of restores are served. @default no server */
  readonly restorePort?: number;
  /** URL of that server, as Pods reach it. @default by its Service */
  readonly restoreServerUrl?: string;
}

const defaultImage = "quay.io/coreos/etcd-operator:v0.9.4";

/** The operator: resources, controllers, metrics and permissions. Creating it starts nothing. */
export function createEtcdOperator({
  image = () => Promise.resolve(defaultImage),
  pod,
  restorePort,
  restoreServerUrl = restoreServerOf(pod?.namespace ?? "default"),
  ...options
}: EtcdOperatorOptions): Operator {
  const metrics = new EtcdMetrics();
  return operator({
    name: "etcd-operator",
    controllers: [
      etcdClusterController({ ...options, metrics }),
      etcdBackupController({ etcd: options.etcd, image }),
      etcdRestoreController({ image, server: restoreServerUrl }),
    ],
    tasks: restorePort === undefined ? [] : [restoreServer({ port: restorePort, ...(pod && { pod }) })],
    metrics: metrics.all,
  });
}
