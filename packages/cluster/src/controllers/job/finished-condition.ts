import type { PodView } from "../pod/index.js";
import { countIndexes } from "./index-set.js";
import { type FinishedCondition, findTrue } from "./job-conditions.js";
import { isPodFailed } from "./job-pods.js";
import { type JobRun, requeue } from "./job-run.js";
import { matchPodFailurePolicy } from "./pod-failure-policy.js";
import { metSuccessPolicy } from "./success-policy.js";

/** The finishing condition by earlier conditions, Pod failure policy, backoffLimit and deadline; undefined if the Job continues. */
export function finishedByLimits(run: JobRun, failed: number): FinishedCondition | undefined {
  const { status, spec, pods, actions } = run;
  const met = findTrue(status, "SuccessCriteriaMet");
  if (met !== undefined) return { type: "SuccessCriteriaMet", reason: met.reason ?? "", message: met.message ?? "" };
  const target = findTrue(status, "FailureTarget");
  if (target !== undefined) return { type: "Failed", reason: target.reason ?? "", message: target.message ?? "" };
  if (spec.podFailurePolicy !== undefined)
    for (const pod of pods) {
      const { failsJob } = isPodFailed(pod, spec) ? matchPodFailurePolicy(spec, pod) : {};
      if (failsJob !== undefined) return failure("PodFailurePolicy", failsJob);
    }
  const { backoffLimit = 6, activeDeadlineSeconds, suspend } = spec;
  if (failed > backoffLimit || hasRestartedTooOften(run, pods, backoffLimit))
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  if (activeDeadlineSeconds === undefined || suspend === true || status.startTime === undefined) return undefined;
  const leftMs = Date.parse(status.startTime) + Number(activeDeadlineSeconds) * 1_000 - actions.nowMs;
  if (leftMs <= 0) return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  requeue(run, leftMs);
  return undefined;
}

/** The finishing condition by failed indexes and success policy; undefined if the Job continues. */
export function finishedByIndexes({ spec, succeededIndexes, failedIndexes }: JobRun): FinishedCondition | undefined {
  const { completions = 0, maxFailedIndexes } = spec;
  if (failedIndexes !== undefined) {
    const failed = countIndexes(failedIndexes);
    if (maxFailedIndexes !== undefined && failed > maxFailedIndexes)
      return failure("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
    if (failed > 0 && failed + countIndexes(succeededIndexes) >= completions)
      return failure("FailedIndexes", "Job has failed indexes");
  }
  const message = metSuccessPolicy(spec, succeededIndexes);
  return message === undefined ? undefined : { type: "SuccessCriteriaMet", reason: "SuccessPolicy", message };
}

/** The finishing condition of a Job with enough succeeded Pods; undefined if the Job continues. */
export function finishedByCompletions({ spec, succeeded }: JobRun, wereActive: number): FinishedCondition | undefined {
  if (wereActive > 0 || succeeded < (spec.completions ?? 1)) return undefined;
  return {
    type: "SuccessCriteriaMet",
    reason: "CompletionsReached",
    message: "Reached expected number of succeeded pods",
  };
}

function failure(reason: string, message: string): FinishedCondition {
  return { type: "FailureTarget", reason, message };
}

/** Whether the container restarts of an OnFailure Job reach backoffLimit. */
function hasRestartedTooOften({ spec }: JobRun, pods: readonly PodView[], limit: number): boolean {
  if (spec.template.spec?.restartPolicy !== "OnFailure") return false;
  let restarts = 0;
  for (const { status } of pods)
    if (status?.phase === "Running" || status?.phase === "Pending")
      for (const one of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
        restarts += one.restartCount;
  return limit === 0 ? restarts > 0 : restarts >= limit;
}
