import { formatTime } from "@kubewright/core/meta";
import type { JobCondition, JobStatus } from "kubewright/k8s/batch/v1";

/** How a Job ends: first as a target while its pods are counted, then for good. */
export interface JobEnd {
  readonly type: "FailureTarget" | "SuccessCriteriaMet" | "Failed" | "Complete";
  readonly reason: string;
  readonly message: string;
}

/** A condition that is true from now on. */
export function trueCondition({ type, reason, message }: JobEnd, nowMs: number): JobCondition {
  const at = formatTime(nowMs);
  return { type, status: "True", lastProbeTime: at, lastTransitionTime: at, reason, message };
}

/** The condition of this type, if it is true. */
export function findTrue({ conditions }: JobStatus, type: string): JobCondition | undefined {
  return conditions?.find((condition) => condition.type === type && condition.status === "True");
}

/** Gives a condition its value. Nothing becomes false that was never true. Whether anything changed. */
export function ensureCondition(
  status: JobStatus,
  wanted: Omit<JobCondition, "lastProbeTime">,
  nowMs: number,
): boolean {
  const at = formatTime(nowMs);
  const before = status.conditions?.find(({ type }) => type === wanted.type);
  if (before === undefined && wanted.status === "False") return false;
  if (before?.status === wanted.status && before.reason === wanted.reason && before.message === wanted.message)
    return false;
  const next = { ...wanted, lastProbeTime: at, lastTransitionTime: at };
  status.conditions =
    before === undefined
      ? [...(status.conditions ?? []), next]
      : status.conditions?.map((one) => (one === before ? next : one));
  return true;
}
