import { formatTime } from "@kubewright/core/meta";
import type { PodView } from "../pod/index.js";
import { countIndexes, formatIndexes } from "./index-set.js";
import { ensureCondition, findTrue, trueCondition } from "./job-conditions.js";
import { completionIndexOf, isIndexed, isPodFailed, isTracked, validIndexOf } from "./job-pods.js";
import type { JobRun } from "./job-run.js";
import { matchPodFailurePolicy } from "./pod-failure-policy.js";

/** MaxUncountedPods: limits the uids in the status. */
const maxUncountedPods = 500;

/**
 * Counts terminated Pods exactly once: adds their uids to `status.uncountedTerminatedPods`, removes their finalizers, then replaces the uids
 * by counters. Finishes the Job once nothing is left to count. `changed` means that the status must be written.
 */
export async function trackFinishedPods(run: JobRun, changed: boolean): Promise<void> {
  const { spec, status, actions, job } = run;
  const indexed = isIndexed(spec);
  const tracked = new Set(run.pods.filter(isTracked).map(({ metadata }) => metadata.uid));
  let dirty = countUntracked(run, tracked) || changed;
  const before = status.uncountedTerminatedPods ?? {};
  const succeeded = [...(before.succeeded ?? [])];
  const failed = [...(before.failed ?? [])];
  const [known, knownFailed] = [new Set(succeeded), new Set(failed)];
  const podsToRelease: PodView[] = [];
  let newIndexes = 0;
  const mayRelease = (pod: PodView, hasFailed: boolean): boolean => {
    if (job.metadata.deletionTimestamp !== undefined || run.finished !== undefined) return true;
    if (pod.status?.phase === "Succeeded") return true;
    return hasFailed && run.delayedDeletions.get(completionIndexOf(pod) ?? -1)?.metadata.uid !== pod.metadata.uid;
  };
  let isFull = false;
  for (const pod of run.pods) {
    if (isFull) break;
    const hasFailed = isPodFailed(pod, spec);
    if (!isTracked(pod) || !mayRelease(pod, hasFailed)) continue;
    podsToRelease.push(pod);
    const { uid } = pod.metadata;
    if (pod.status?.phase === "Succeeded" && !knownFailed.has(uid)) {
      // The completion index already ensures that it counts once.
      if (indexed) newIndexes += 1;
      else if (!known.has(uid)) succeeded.push(uid);
    } else if (hasFailed || (run.finished !== undefined && run.finished.type !== "SuccessCriteriaMet")) {
      const counts = !knownFailed.has(uid) && (!indexed || validIndexOf(pod, spec) !== undefined);
      if (counts && matchPodFailurePolicy(spec, pod).counts) failed.push(uid);
    }
    isFull = newIndexes + succeeded.length + failed.length >= maxUncountedPods;
  }
  if (succeeded.length > known.size || failed.length > knownFailed.size) dirty = true;
  status.uncountedTerminatedPods = uncounted(succeeded, failed);
  if (indexed) dirty = countIndexed(run) || dirty;
  dirty = addInterimCondition(run) || dirty;
  if (dirty) {
    await actions.save();
    actions.remember(run.backoff);
  }
  const results = await Promise.allSettled(podsToRelease.map(({ metadata }) => actions.removeFinalizer(metadata.name)));
  for (const [at, { metadata }] of podsToRelease.entries())
    if (results[at]?.status === "fulfilled") tracked.delete(metadata.uid);
  dirty = countUntracked(run, tracked);
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) {
    if (dirty) await actions.save();
    throw failure.reason;
  }
  const isFinished = !isFull && finish(run);
  if (dirty || isFinished) await actions.save();
  if (isFinished) emitFinishedEvent(run);
}

/** Moves the uids of Pods without finalizer to the counters. Returns whether there were any. */
function countUntracked({ status }: JobRun, tracked: ReadonlySet<string>): boolean {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const left = {
    succeeded: succeeded.filter((uid) => tracked.has(uid)),
    failed: failed.filter((uid) => tracked.has(uid)),
  };
  const [newSucceeded, newFailed] = [succeeded.length - left.succeeded.length, failed.length - left.failed.length];
  if (newSucceeded > 0) status.succeeded = (status.succeeded ?? 0) + newSucceeded;
  if (newFailed > 0) status.failed = (status.failed ?? 0) + newFailed;
  status.uncountedTerminatedPods = uncounted(left.succeeded, left.failed);
  return newSucceeded + newFailed > 0;
}

function uncounted(succeeded: readonly string[], failed: readonly string[]) {
  return {
    ...(succeeded.length > 0 && { succeeded: [...succeeded] }),
    ...(failed.length > 0 && { failed: [...failed] }),
  };
}

/** Sets completedIndexes and failedIndexes. Returns whether they changed. */
function countIndexed({ status, succeededIndexes, failedIndexes }: JobRun): boolean {
  const completed = formatIndexes(succeededIndexes) || undefined;
  const failed = failedIndexes && formatIndexes(failedIndexes);
  const changed = completed !== status.completedIndexes || failed !== status.failedIndexes;
  status.completedIndexes = completed;
  status.failedIndexes = failed;
  status.succeeded = countIndexes(succeededIndexes) || undefined;
  return changed;
}

/** Adds the interim condition (FailureTarget, SuccessCriteriaMet) before the Pods lose their finalizers. Returns whether it is new. */
function addInterimCondition(run: JobRun): boolean {
  const { finished, status, actions } = run;
  if (finished === undefined || finished.type === "Failed" || finished.type === "Complete") return false;
  const isNew = findTrue(status, finished.type) === undefined;
  if (isNew) status.conditions = [...(status.conditions ?? []), trueCondition(finished, actions.nowMs)];
  run.finished = { ...finished, type: finished.type === "FailureTarget" ? "Failed" : "Complete" };
  return isNew;
}

/** Sets the final condition, unless Pods are uncounted or terminating. Returns whether it did. */
function finish({ finished, status, terminating, actions: { nowMs } }: JobRun): boolean {
  if (finished === undefined || terminating > 0) return false;
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if (succeeded.length + failed.length > 0) return false;
  ensureCondition(status, { ...finished, status: "True" }, nowMs);
  if (finished.type === "Complete") status.completionTime = formatTime(nowMs);
  return true;
}

function emitFinishedEvent({ finished, spec, status, actions: { event } }: JobRun): void {
  if (finished === undefined) return;
  if (finished.type !== "Complete") {
    event("Warning", finished.reason, finished.message);
    return;
  }
  if (spec.completions !== undefined && (status.succeeded ?? 0) > spec.completions)
    event("Warning", "TooManySucceededPods", "Too many succeeded pods running after completion count reached");
  event("Normal", "Completed", "Job completed");
}
