import { type AnyController, type Operator, operator } from "kubewright";
import { type EtcdClusterOptions, etcdClusterController } from "./cluster/etcd-cluster-controller.js";
import { EtcdMetrics } from "./cluster/etcd-metrics.js";

export interface EtcdOperatorOptions extends Omit<EtcdClusterOptions, "metrics"> {
  /** Other controllers of the operator, such as those of backups. @default none */
  readonly controllers?: readonly AnyController[];
}

/** The operator: resources, controllers, metrics and permissions. Creating it starts nothing. */
export function createEtcdOperator({ controllers = [], ...options }: EtcdOperatorOptions): Operator {
  const metrics = new EtcdMetrics();
  return operator({
    name: "etcd-operator",
    controllers: [etcdClusterController({ ...options, metrics }), ...controllers],
    metrics: metrics.all,
  });
}
