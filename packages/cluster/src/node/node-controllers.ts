import type { AnyController } from "kubewright";
import { kubeletMetrics, type ReadKubelet } from "./kubelet-metrics.js";
import { MetricsApi, type ServeMetrics } from "./metrics-api.js";
import { metricsServer } from "./metrics-server.js";
import { nodeHeartbeat } from "./node-heartbeat.js";
import type { NodeCapacity } from "./node-object.js";
import { podRunner } from "./pod-runner.js";

/** Options of simulated nodes. */
export interface NodeOptions {
  /** Their number or their names. @default 1 */
  readonly nodes?: number | readonly string[];
  /** The capacity of each node. */
  readonly capacity?: NodeCapacity;
}

/** What serves the metrics API. */
export interface MetricsServices {
  readonly serve: ServeMetrics;
  readonly readKubelet: ReadKubelet;
}

/** The controllers of simulated nodes, and of the metrics API of all nodes, which is served with `metrics` only. It starts none of them. */
export function nodeControllers(
  { nodes = 1, capacity = {} }: NodeOptions,
  metrics?: MetricsServices,
): readonly AnyController[] {
  const names = typeof nodes === "number" ? Array.from({ length: nodes }, (_, at) => `node-${at + 1}`) : nodes;
  const hasNodes = names.length > 0;
  const api = metrics && new MetricsApi(metrics.serve);
  return [
    ...(hasNodes ? [nodeHeartbeat(names, capacity), podRunner()] : []),
    ...(hasNodes && api ? [metricsServer(api)] : []),
    ...(api ? [kubeletMetrics(api, metrics.readKubelet)] : []),
  ];
}
