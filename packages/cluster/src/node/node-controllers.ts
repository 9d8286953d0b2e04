import type { AnyController } from "kubewright";
import { metricsServer, type ServeMetrics } from "./metrics-server.js";
import { nodeHeartbeat } from "./node-heartbeat.js";
import type { NodeCapacity } from "./node-object.js";
import { podRunner } from "./pod-runner.js";

/** Which simulated nodes there are. */
export interface NodeOptions {
  /** How many, or their names. @default 1 */
  readonly nodes?: number | readonly string[];
  /** What each of them has. */
  readonly capacity?: NodeCapacity;
}

/**
 * The simulated nodes, as controllers of the framework. None where there are no nodes. Without `serveMetrics` nothing is told of what pods use. Starts
 * nothing.
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
