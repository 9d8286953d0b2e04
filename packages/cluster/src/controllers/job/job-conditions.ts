import { formatTime } from "@kubewright/core/meta";
import type { JobCondition, JobStatus } from "kubewright/k8s/batch/v1";

/** The condition that finishes a Job: an interim one while its Pods are counted, then the final one. */
export interface FinishedCondition {
  readonly type: "FailureTarget" | "SuccessCriteriaMet" | "Failed" | "Complete";
  readonly reason: string;
  readonly message: string;
}

/** A condition with status True. */
export function trueCondition({ type, reason, message }: FinishedCondition, nowMs: number): JobCondition {
  const at = formatTime(nowMs);
  return { type, status: "True", lastProbeTime: at, lastTransitionTime: at, reason, message };
}

/** The condition of this type, if its status is True. */
export function findTrue({ conditions }: JobStatus, type: string): JobCondition | undefined {
  return conditions?.find((condition) => condition.type === type && condition.status === "True");
}

/** Sets a condition. It adds none with status False. Returns whether anything changed. */
export function ensureCondition(
  status: JobStatus,
  desired: Omit<JobCondition, "lastProbeTime">,
  nowMs: number,
): boolean {
  const at = formatTime(nowMs);
  const before = status.conditions?.find(({ type }) => type === desired.type);
  if (before === undefined && desired.status === "False") return false;
  if (before?.status === desired.status && before.reason === desired.reason && before.message === desired.message)
    return false;
  const next = { ...desired, lastProbeTime: at, lastTransitionTime: at };
  status.conditions =
    before === undefined
      ? [...(status.conditions ?? []), next]
      : status.conditions?.map((one) => (one === before ? next : one));
  return true;
}
