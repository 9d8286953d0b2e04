import type { AnyController } from "kubewright";
import { metricsServer, type ServeMetrics } from "./metrics-server.js";
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

/**
 * The controllers of simulated nodes; empty without nodes. Without `serveMetrics` there is no metrics API. It starts none
 * of them.
 */
export function nodeControllers(
  { nodes = 1, capacity = {} }: NodeOptions,
  serveMetrics?: ServeMetrics,
): readonly AnyController[] {
  const names = typeof nodes === "number" ? Array.from({ length: nodes }, (_, at) => `node-${at + 1}`) : nodes;
  if (names.length === 0) return [];
  const metrics = serveMetrics === undefined ? [] : [metricsServer(serveMetrics)];
  return [nodeHeartbeat(names, capacity), podRunner(), ...metrics];
}
