import { formatTime } from "@kubewright/core/meta";
import type { JobStatus } from "kubewright/k8s/batch/v1";
import { claimObjects, selectorOf } from "../ownership/index.js";
import { isPodActive, isPodReady, isPodTerminating, type PodView } from "../pod/index.js";
import { finishedByCompletions, finishedByIndexes, finishedByLimits } from "./finished-condition.js";
import { countIndexes, hasIndex, indexSet, mergeIndexes, parseIndexes } from "./index-set.js";
import { ensureCondition } from "./job-conditions.js";
import {
  completionIndexOf,
  indexFailures,
  isIndexed,
  isPodFailed,
  isTracked,
  type JobView,
  validIndexOf,
} from "./job-pods.js";
import type { JobActions, JobRun } from "./job-run.js";
import { deleteActivePods, managePods } from "./manage-pods.js";
import { type BackoffRecord, finishedAtMs, withFinishedPods } from "./pod-backoff.js";
import { matchPodFailurePolicy } from "./pod-failure-policy.js";
import { trackFinishedPods } from "./track-finished-pods.js";

/**
 * Syncs a Job: creates or deletes Pods, counts terminated ones and finishes the Job. Returns the delay until the next sync in
 * milliseconds, or undefined. An error from creating or deleting Pods is thrown after the status is written.
 */
export async function syncJob(
  job: JobView,
  record: BackoffRecord,
  actions: JobActions,
  status: JobStatus,
): Promise<number | undefined> {
  const { spec } = job;
  if (spec === undefined) return undefined;
  const selector = selectorOf(spec.selector);
  const claimed = await claimObjects(await actions.pods(), {
    ...actions,
    owner: job,
    matches: ({ metadata }) => selector.matches(metadata.labels),
  });
  // Sorts by completion index.
  const pods = claimed.toSorted((a, b) => (completionIndexOf(a) ?? -1) - (completionIndexOf(b) ?? -1));
  status.uncountedTerminatedPods ??= {};
  const { succeeded: uncountedSucceeded = [], failed: uncountedFailed = [] } = status.uncountedTerminatedPods;
  const isNew = (pod: PodView, known: readonly string[]): boolean =>
    isTracked(pod) && !known.includes(pod.metadata.uid) && (!isIndexed(spec) || validIndexOf(pod, spec) !== undefined);
  const newSucceeded = pods.filter((pod) => pod.status?.phase === "Succeeded" && isNew(pod, uncountedSucceeded));
  const newFailed = pods.filter((pod) => isPodFailed(pod, spec) && isNew(pod, uncountedFailed));
  const activePods = pods.filter(isPodActive);
  const run: JobRun = {
    job,
    spec,
    actions,
    status,
    pods,
    activePods,
    backoff: withFinishedPods(record, newSucceeded, newFailed),
    succeeded: (status.succeeded ?? 0) + newSucceeded.length + uncountedSucceeded.length,
    active: activePods.length,
    ready: activePods.filter(isPodReady).length,
    terminating: pods.filter(isPodTerminating).length,
    finished: undefined,
    succeededIndexes: [],
    failedIndexes: undefined,
    delayedDeletions: new Map(),
    againMs: undefined,
  };
  if (spec.suspend !== true) status.startTime ??= formatTime(actions.nowMs);
  const countedFailures = newFailed.filter((pod) => matchPodFailurePolicy(spec, pod).counts).length;
  run.finished = finishedByLimits(run, (status.failed ?? 0) + countedFailures + uncountedFailed.length);
  if (isIndexed(spec)) {
    updateIndexes(run);
    run.finished ??= finishedByIndexes(run);
  }
  const { failure, changed } = await manage(run);
  const same = (status.active ?? 0) === run.active && status.ready === run.ready;
  const isDirty = changed || !same || status.terminating !== run.terminating;
  status.active = run.active || undefined;
  status.ready = run.ready;
  status.terminating = run.terminating;
  await trackFinishedPods(run, isDirty);
  if (failure !== undefined) throw failure;
  return run.againMs;
}

/** Deletes the Pods of a finishing Job, else creates or deletes Pods as needed. */
async function manage(run: JobRun): Promise<{ readonly failure: unknown; readonly changed: boolean }> {
  const { job, activePods } = run;
  if (run.finished !== undefined) {
    const failure = await deleteActivePods(run, activePods, false);
    // A Job with active Pods is not finished.
    if (run.active > 0) run.finished = undefined;
    return { failure, changed: false };
  }
  const isTerminating = job.metadata.deletionTimestamp !== undefined;
  const failure = isTerminating ? undefined : await managePods(run);
  run.finished = finishedByCompletions(run, run.active);
  return { failure, changed: run.finished === undefined && !isTerminating && updateSuspended(run) };
}

/** Sets the Suspended condition. Returns whether it changed. */
function updateSuspended({ spec, status, actions: { event, nowMs } }: JobRun): boolean {
  const isSuspended = spec.suspend === true;
  const [reason, message] = isSuspended ? ["JobSuspended", "Job suspended"] : ["JobResumed", "Job resumed"];
  const condition = { type: "Suspended", status: isSuspended ? "True" : "False", reason, message };
  if (!ensureCondition(status, condition, nowMs)) return false;
  event("Normal", isSuspended ? "Suspended" : "Resumed", message);
  status.startTime = isSuspended ? undefined : formatTime(nowMs);
  return true;
}

/** Computes succeeded and failed indexes, and the failed Pods whose deletion is delayed until they are replaced. */
function updateIndexes(run: JobRun): void {
  const { spec, status, pods, activePods, delayedDeletions } = run;
  const { completions = 0, backoffLimitPerIndex } = spec;
  const tracked = pods.flatMap((pod) => {
    const index = validIndexOf(pod, spec);
    return index === undefined || !isTracked(pod) ? [] : [{ pod, index }];
  });
  const succeeded = tracked.filter(({ pod }) => pod.status?.phase === "Succeeded").map(({ index }) => index);
  run.succeededIndexes = mergeIndexes(parseIndexes(status.completedIndexes ?? "", completions), indexSet(succeeded));
  run.succeeded = countIndexes(run.succeededIndexes);
  if (backoffLimitPerIndex === undefined) return;
  const failed = tracked.filter(({ pod }) => isPodFailed(pod, spec));
  const exhausted = failed.filter(({ pod }) => {
    const { action, counts } = matchPodFailurePolicy(spec, pod);
    return action === "FailIndex" || (counts && indexFailures(pod).counted >= backoffLimitPerIndex);
  });
  const before = parseIndexes(status.failedIndexes ?? "", completions);
  run.failedIndexes = mergeIndexes(before, indexSet(exhausted.map(({ index }) => index)));
  const finished = mergeIndexes(run.succeededIndexes, run.failedIndexes);
  const running = new Set(activePods.map(completionIndexOf));
  for (const { pod, index } of failed) {
    if (hasIndex(finished, index) || running.has(index)) continue;
    const other = delayedDeletions.get(index);
    if (other === undefined || isLater(pod, other)) delayedDeletions.set(index, pod);
  }
}

function isLater(pod: PodView, other: PodView): boolean {
  const [a, b] = [indexFailures(pod), indexFailures(other)];
  return b.counted + b.ignored <= a.counted + a.ignored && finishedAtMs(pod) >= finishedAtMs(other);
}
