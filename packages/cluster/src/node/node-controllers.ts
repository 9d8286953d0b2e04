import type { AnyController } from "kubewright";

/** Which simulated nodes there are. */
export interface NodeOptions {
  /** How many. @default 1 */
  readonly nodes?: number;
}

/** The simulated nodes, as controllers of the framework. Starts nothing. */
export function nodeControllers(_options: NodeOptions): readonly AnyController[] {
  return [];
}
