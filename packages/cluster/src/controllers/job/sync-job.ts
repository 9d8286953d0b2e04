import { formatTime } from "@kubewright/core/meta";
import type { JobStatus } from "kubewright/k8s/batch/v1";
import { claim, selectorOf } from "../ownership/index.js";
import { isPodActive, isPodReady, isPodTerminating, type PodView } from "../pod/index.js";
import { countPods } from "./count-pods.js";
import { judgeFailure } from "./failure-policy.js";
import { countIndexes, hasIndex, indexSet, mergeIndexes, parseIndexes } from "./index-set.js";
import { ensureCondition } from "./job-conditions.js";
import { endByCompletions, endByIndexes, endByLimits } from "./job-end.js";
import {
  completionIndexOf,
  earlierFailures,
  isIndexed,
  isPodFailed,
  isTracked,
  type JobView,
  validIndexOf,
} from "./job-pods.js";
import type { JobActions, JobRun } from "./job-run.js";
import { managePods, removeActive } from "./manage-pods.js";
import { afterEnds, type BackoffRecord, endedAtMs } from "./pod-backoff.js";

/**
 * Makes or deletes the pods of a Job, counts those that have ended, and ends the Job when it is time. Gives in how many milliseconds to look
 * again, if at all. A failure to make or delete pods is thrown when all else is done.
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
  const claimed = await claim(await actions.pods(), {
    ...actions,
    owner: job,
    matches: ({ metadata }) => selector.matches(metadata.labels),
  });
  // So that indexes come in order.
  const pods = claimed.toSorted((a, b) => (completionIndexOf(a) ?? -1) - (completionIndexOf(b) ?? -1));
  status.uncountedTerminatedPods ??= {};
  const { succeeded: waiting = [], failed: lost = [] } = status.uncountedTerminatedPods;
  const isNew = (pod: PodView, known: readonly string[]): boolean =>
    isTracked(pod) && !known.includes(pod.metadata.uid) && (!isIndexed(spec) || validIndexOf(pod, spec) !== undefined);
  const newSucceeded = pods.filter((pod) => pod.status?.phase === "Succeeded" && isNew(pod, waiting));
  const newFailed = pods.filter((pod) => isPodFailed(pod, spec) && isNew(pod, lost));
  const activePods = pods.filter(isPodActive);
  const run: JobRun = {
    job,
    spec,
    actions,
    status,
    pods,
    activePods,
    backoff: afterEnds(record, newSucceeded, newFailed),
    succeeded: (status.succeeded ?? 0) + newSucceeded.length + waiting.length,
    active: activePods.length,
    ready: activePods.filter(isPodReady).length,
    terminating: pods.filter(isPodTerminating).length,
    end: undefined,
    succeededIndexes: [],
    failedIndexes: undefined,
    awaiting: new Map(),
    againMs: undefined,
  };
  if (spec.suspend !== true) status.startTime ??= formatTime(actions.nowMs);
  const countedFailures = newFailed.filter((pod) => judgeFailure(spec, pod).counts).length;
  run.end = endByLimits(run, (status.failed ?? 0) + countedFailures + lost.length);
  if (isIndexed(spec)) {
    lookAtIndexes(run);
    run.end ??= endByIndexes(run);
  }
  const { failure, changed } = await act(run);
  const same = (status.active ?? 0) === run.active && status.ready === run.ready;
  const isDirty = changed || !same || status.terminating !== run.terminating;
  status.active = run.active || undefined;
  status.ready = run.ready;
  status.terminating = run.terminating;
  await countPods(run, isDirty);
  if (failure !== undefined) throw failure;
  return run.againMs;
}

/** Deletes the pods of a Job that ends, else makes those that are missing. */
async function act(run: JobRun): Promise<{ readonly failure: unknown; readonly changed: boolean }> {
  const { job, activePods } = run;
  if (run.end !== undefined) {
    const failure = await removeActive(run, activePods, false);
    // As long as pods run, it has not ended.
    if (run.active > 0) run.end = undefined;
    return { failure, changed: false };
  }
  const isGoing = job.metadata.deletionTimestamp !== undefined;
  const failure = isGoing ? undefined : await managePods(run);
  run.end = endByCompletions(run, run.active);
  return { failure, changed: run.end === undefined && !isGoing && tellSuspension(run) };
}

/** Says whether the Job is suspended. Whether that is news. */
function tellSuspension({ spec, status, actions: { event, nowMs } }: JobRun): boolean {
  const isSuspended = spec.suspend === true;
  const [reason, message] = isSuspended ? ["JobSuspended", "Job suspended"] : ["JobResumed", "Job resumed"];
  const condition = { type: "Suspended", status: isSuspended ? "True" : "False", reason, message };
  if (!ensureCondition(status, condition, nowMs)) return false;
  event("Normal", isSuspended ? "Suspended" : "Resumed", message);
  status.startTime = isSuspended ? undefined : formatTime(nowMs);
  return true;
}

/** Finds out which indexes have succeeded, which have failed for good, and which pods must stay until there is another. */
function lookAtIndexes(run: JobRun): void {
  const { spec, status, pods, activePods, awaiting } = run;
  const { completions = 0, backoffLimitPerIndex } = spec;
  const fresh = pods.flatMap((pod) => {
    const index = validIndexOf(pod, spec);
    return index === undefined || !isTracked(pod) ? [] : [{ pod, index }];
  });
  const won = fresh.filter(({ pod }) => pod.status?.phase === "Succeeded").map(({ index }) => index);
  run.succeededIndexes = mergeIndexes(parseIndexes(status.completedIndexes ?? "", completions), indexSet(won));
  run.succeeded = countIndexes(run.succeededIndexes);
  if (backoffLimitPerIndex === undefined) return;
  const failed = fresh.filter(({ pod }) => isPodFailed(pod, spec));
  const forGood = failed.filter(({ pod }) => {
    const { action, counts } = judgeFailure(spec, pod);
    return action === "FailIndex" || (counts && earlierFailures(pod).counted >= backoffLimitPerIndex);
  });
  const before = parseIndexes(status.failedIndexes ?? "", completions);
  run.failedIndexes = mergeIndexes(before, indexSet(forGood.map(({ index }) => index)));
  const done = mergeIndexes(run.succeededIndexes, run.failedIndexes);
  const busy = new Set(activePods.map(completionIndexOf));
  for (const { pod, index } of failed) {
    if (hasIndex(done, index) || busy.has(index)) continue;
    const other = awaiting.get(index);
    if (other === undefined || isLater(pod, other)) awaiting.set(index, pod);
  }
}

function isLater(pod: PodView, other: PodView): boolean {
  const [a, b] = [earlierFailures(pod), earlierFailures(other)];
  return b.counted + b.ignored <= a.counted + a.ignored && endedAtMs(pod) >= endedAtMs(other);
}
