import { resolveIntOrPercent } from "@kubewright/core/meta";
import type { DaemonSetView } from "./daemon-pod.js";

/** maxSurge and maxUnavailable of a rolling update, as numbers. */
export interface DaemonLimits {
  readonly surge: number;
  readonly unavailable: number;
}

/** The limits for this number of nodes. */
export function limitsOf(set: DaemonSetView, nodes: number): DaemonLimits {
  const { type = "RollingUpdate", rollingUpdate = {} } = set.spec.updateStrategy ?? {};
  if (type !== "RollingUpdate") return { surge: 0, unavailable: 0 };
  const { maxSurge = 0, maxUnavailable = 1 } = rollingUpdate;
  const surge = resolveIntOrPercent(maxSurge, nodes, "up");
  const unavailable = resolveIntOrPercent(maxUnavailable, nodes, "up");
  return { surge, unavailable: nodes > 0 && surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** Whether a node may have two Pods during a rollout. */
export function allowsSurge(set: DaemonSetView): boolean {
  return limitsOf(set, 1).surge > 0;
}
