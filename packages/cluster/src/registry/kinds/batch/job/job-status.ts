import { deepEqual } from "@kubewright/core/json";
import { duplicate, invalid, required } from "@kubewright/core/schema";
import type { Job, JobSpec, JobStatus } from "kubewright/k8s/batch/v1";
import type { Decoded } from "../../../decoded.js";
import { checkNotNegative, type Errors, immutable } from "../../../validation/index.js";
import { overlapOf, parseIndexes } from "./job-indexes.js";
import { invalidWithoutValue } from "./job-spec.js";

/** Whether a Job has this condition with this status. */
export function hasCondition(job: Decoded<Job>, type: string, status = "True"): boolean {
  return (job.status?.conditions ?? []).some((one) => one.type === type && one.status === status);
}

/** Whether an update changes one of these fields of the status. */
type Changed = (...keys: (keyof JobStatus)[]) => boolean;

/** Validates the status of a Job; most rules apply only to changed fields. */
export function checkJobStatus(job: Decoded<Job>, old: Decoded<Job>): Errors {
  const errors: Errors = [];
  const { status = {}, spec = {} } = job;
  const { status: before = {} } = old;
  const { active = 0, terminating = 0, ready, startTime = "", completionTime = "" } = status;
  const changed: Changed = (...keys) => keys.some((key) => !deepEqual(status[key], before[key]));
  const conditionChanged = (...types: string[]): boolean =>
    types.some((type) => hasCondition(job, type) !== hasCondition(old, type));
  const [isComplete, isFailed] = [hasCondition(job, "Complete"), hasCondition(job, "Failed")];
  const [isFailing, isSuccessful] = [hasCondition(job, "FailureTarget"), hasCondition(job, "SuccessCriteriaMet")];
  const isFinished = isComplete || isFailed;
  const hasFinished = isFinished !== (hasCondition(old, "Complete") || hasCondition(old, "Failed"));
  const report = (isWrong: boolean, text: string): void => {
    if (isWrong) errors.push(invalidWithoutValue("status.conditions", text));
  };
  checkNotNegative(status, ["active", "succeeded", "failed", "ready", "terminating"], "status", errors);
  checkUncounted(status, errors);
  report(
    conditionChanged("Complete", "Failed") && isComplete && isFailed,
    "cannot set Complete=True and Failed=true conditions",
  );
  report(
    conditionChanged("Complete", "FailureTarget") && isComplete && isFailing,
    "cannot set Complete=True and FailureTarget=true conditions",
  );
  checkCompletionTime(status, conditionChanged("Complete") || changed("completionTime"), isComplete, errors);
  if (changed("startTime", "completionTime") && completionTime !== "" && completionTime < startTime)
    errors.push(invalid("status.completionTime", completionTime, "must be equal to or after `startTime`"));
  report(
    (conditionChanged("Failed") || changed("failedIndexes")) && isFailed && !isFailing,
    "cannot set Failed=True condition without the FailureTarget=true condition",
  );
  report(
    conditionChanged("Complete", "SuccessCriteriaMet") && isComplete && !isSuccessful,
    "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
  );
  if ((hasFinished || changed("active")) && isFinished && active > 0)
    errors.push(invalid("status.active", active, "active>0 is invalid for finished job"));
  const isSuspendedWithoutCompletions = spec.suspend && spec.completions === 0;
  if ((hasFinished || changed("startTime")) && !isSuspendedWithoutCompletions && isFinished && startTime === "")
    errors.push(required("status.startTime", "startTime is required for finished job"));
  const { uncountedTerminatedPods: uncounted = {} } = status;
  const { failed = [], succeeded = [] } = uncounted;
  if ((hasFinished || changed("uncountedTerminatedPods")) && isFinished && failed.length + succeeded.length > 0)
    errors.push(invalid("status.uncountedTerminatedPods", uncounted, "must be empty for finished job"));
  checkIndexes(status, spec, changed, errors);
  if ((hasFinished || changed("terminating")) && isFinished && terminating > 0)
    errors.push(invalid("status.terminating", terminating, "terminating>0 is invalid for finished job"));
  if (changed("ready", "active") && ready !== undefined && ready > active)
    errors.push(invalid("status.ready", ready, "cannot set more ready pods than active"));
  report(isSuccessful && isFailed, "cannot set SuccessCriteriaMet=True and Failed=true conditions");
  report(isSuccessful && isFailing, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  report(
    spec.successPolicy !== undefined && !isSuccessful && isComplete,
    "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True",
  );
  checkProgress(job, old, errors);
  return errors;
}

/** Terminal conditions stay true, and counters do not decrease. */
function checkProgress(job: Decoded<Job>, old: Decoded<Job>, errors: Errors): void {
  const { status = {}, spec = {} } = job;
  const { status: before = {} } = old;
  for (const type of ["Failed", "Complete", "FailureTarget"])
    if (hasCondition(old, type) && !hasCondition(job, type))
      errors.push(invalidWithoutValue("status.conditions", `cannot disable the terminal ${type}=True condition`));
  const mayShrink = spec.completionMode === "Indexed" && spec.completions === spec.parallelism;
  for (const key of mayShrink ? (["failed"] as const) : (["failed", "succeeded"] as const)) {
    const count = status[key] ?? 0;
    if (count < (before[key] ?? 0)) errors.push(invalid(`status.${key}`, count, `cannot decrease the ${key} counter`));
  }
  const [completionTime, earlier] = [status.completionTime, before.completionTime];
  if (completionTime !== undefined && earlier !== undefined && completionTime !== earlier)
    errors.push(invalid("status.completionTime", completionTime, immutable));
  const isResuming = hasCondition(old, "Suspended") && hasCondition(job, "Suspended", "False");
  const startTime = before.startTime;
  if (startTime !== undefined && status.startTime !== startTime && !isResuming && !spec.suspend)
    errors.push(
      invalid("status.startTime", status.startTime ?? null, "field is immutable for unsuspended job once set"),
    );
  const [isSuccessful, wasSuccessful] = [job, old].map((one) => hasCondition(one, "SuccessCriteriaMet"));
  if (wasSuccessful && !isSuccessful)
    errors.push(invalidWithoutValue("status.conditions", "cannot disable the SuccessCriteriaMet=True condition"));
  if (hasCondition(old, "Complete") && !wasSuccessful && isSuccessful)
    errors.push(
      invalidWithoutValue(
        "status.conditions",
        "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
      ),
    );
}

function checkUncounted(status: Decoded<JobStatus>, errors: Errors): void {
  const seen = new Set<string>();
  for (const key of ["succeeded", "failed"] as const)
    for (const [index, uid] of (status.uncountedTerminatedPods?.[key] ?? []).entries()) {
      const at = `status.uncountedTerminatedPods.${key}[${index}]`;
      if (uid === "") errors.push(invalid(at, uid, "must not be empty"));
      else if (seen.has(uid)) errors.push(duplicate(at, uid));
      seen.add(uid);
    }
}

function checkCompletionTime(
  { completionTime: time }: Decoded<JobStatus>,
  isChanged: boolean,
  isComplete: boolean,
  errors: Errors,
): void {
  if (!isChanged) return;
  if (time !== undefined && !isComplete)
    errors.push(
      invalid("status.completionTime", time, "cannot set completionTime when there is no Complete=True condition"),
    );
  if (time === undefined && isComplete)
    errors.push(required("status.completionTime", "completionTime is required for Complete jobs"));
}

function checkIndexes(status: Decoded<JobStatus>, spec: Decoded<JobSpec>, changed: Changed, errors: Errors): void {
  const { completions } = spec;
  const { completedIndexes: completed = "", failedIndexes: failed } = status;
  const [completedChanged, failedChanged] = [changed("completedIndexes"), changed("failedIndexes")];
  const hasLimit = spec.backoffLimitPerIndex !== undefined;
  const checkFormat = (key: keyof JobStatus, text: string): void => {
    const found = parseIndexes(text, completions ?? 0);
    if (found.kind === "invalid") errors.push(invalid(`status.${key}`, text, `error parsing ${key}: ${found.why}`));
  };
  if (completedChanged && completions !== undefined) checkFormat("completedIndexes", completed);
  if (failedChanged && completions !== undefined && hasLimit && failed !== undefined)
    checkFormat("failedIndexes", failed);
  if (completedChanged && completed !== "" && spec.completionMode !== "Indexed")
    errors.push(
      invalid(
        "status.completedIndexes",
        completed,
        "cannot set non-empty completedIndexes when non-indexed completion mode",
      ),
    );
  if (failedChanged && !hasLimit && failed !== undefined)
    errors.push(
      invalid("status.failedIndexes", failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null"),
    );
  if (!(completedChanged || failedChanged) || completions === undefined || failed === undefined) return;
  const both = overlapOf(completed, failed, completions);
  if (both !== undefined)
    errors.push(
      invalid("status.failedIndexes", failed, `failedIndexes and completedIndexes overlap at index: ${both}`),
    );
}
