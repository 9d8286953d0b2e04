import { formatTime } from "@kubewright/core/meta";
import type { DeploymentCondition } from "kubewright/k8s/apps/v1";

/** What a condition is to say. */
export interface Verdict {
  readonly type: "Available" | "Progressing" | "ReplicaFailure";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** The conditions of a Deployment. */
export type Conditions = readonly DeploymentCondition[];

/** The condition of a type. */
export function conditionOf(
  conditions: Conditions | undefined,
  type: Verdict["type"],
): DeploymentCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The condition that a verdict is at a moment. */
export function conditionFrom({ type, status, reason, message }: Verdict, nowMs: number): DeploymentCondition {
  const at = formatTime(nowMs);
  return { type, status, lastUpdateTime: at, lastTransitionTime: at, reason, message };
}

/**
 * The conditions with this one. Where one of its type has the same status and reason already, it stays as it is, with its message and its
 * times; where only the status is the same, the time of the last transition stays.
 */
export function withCondition(conditions: Conditions, condition: DeploymentCondition): Conditions {
  const known = conditions.find(({ type }) => type === condition.type);
  if (known?.status === condition.status && known.reason === condition.reason) return conditions;
  const keeps = known?.status === condition.status ? { lastTransitionTime: known.lastTransitionTime } : {};
  return [...without(conditions, condition.type), { ...condition, ...keeps }];
}

/** The conditions but those of a type. */
export function without(conditions: Conditions, type: string): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}
