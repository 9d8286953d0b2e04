import type { AnyController } from "kubewright";

/** The scheduler, as controllers of the framework. Starts nothing. */
export function schedulerControllers(): readonly AnyController[] {
  return [];
}
