import type { AnyController } from "kubewright";
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

/** The simulated nodes, as controllers of the framework. None where there are no nodes. Starts nothing. */
export function nodeControllers({ nodes = 1, capacity = {} }: NodeOptions): readonly AnyController[] {
  const names = typeof nodes === "number" ? Array.from({ length: nodes }, (_, at) => `node-${at + 1}`) : nodes;
  return names.length === 0 ? [] : [nodeHeartbeat(names, capacity), podRunner()];
}
