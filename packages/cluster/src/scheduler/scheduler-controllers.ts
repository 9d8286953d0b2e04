import type { AnyController } from "kubewright";
import { podScheduler } from "./pod-scheduler.js";

/** The scheduler, as controllers of the framework. Starts nothing. */
export function schedulerControllers(): readonly AnyController[] {
  return [podScheduler()];
}
