import { formatTime } from "@kubewright/core/meta";
import type { DeploymentCondition } from "kubewright/k8s/apps/v1";

/** A condition without its timestamps. */
export interface NewCondition {
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
  type: NewCondition["type"],
): DeploymentCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The condition with its timestamps. */
export function conditionFrom({ type, status, reason, message }: NewCondition, nowMs: number): DeploymentCondition {
  const at = formatTime(nowMs);
  return { type, status, lastUpdateTime: at, lastTransitionTime: at, reason, message };
}

/**
 * Sets a condition. If status and reason are unchanged, the existing condition stays, with its message and timestamps. If only the
 * status is unchanged, lastTransitionTime stays.
 */
export function withCondition(conditions: Conditions, condition: DeploymentCondition): Conditions {
  const known = conditions.find(({ type }) => type === condition.type);
  if (known?.status === condition.status && known.reason === condition.reason) return conditions;
  const keeps = known?.status === condition.status ? { lastTransitionTime: known.lastTransitionTime } : {};
  return [...without(conditions, condition.type), { ...condition, ...keeps }];
}

/** The conditions without those of a type. */
export function without(conditions: Conditions, type: string): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}
