import type { AnyController } from "kubewright";
import { podScheduler } from "./pod-scheduler.js";

/** The scheduler as a controller of the framework. It starts nothing. */
export function schedulerControllers(): readonly AnyController[] {
  return [podScheduler()];
}
