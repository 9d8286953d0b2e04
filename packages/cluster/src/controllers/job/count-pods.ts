import { formatTime } from "@kubewright/core/meta";
import type { PodView } from "../pod/index.js";
import { judgeFailure } from "./failure-policy.js";
import { countIndexes, formatIndexes } from "./index-set.js";
import { ensureCondition, findTrue, trueCondition } from "./job-conditions.js";
import { completionIndexOf, isIndexed, isPodFailed, isTracked, validIndexOf } from "./job-pods.js";
import type { JobRun } from "./job-run.js";

/** How many pods are counted at once, which bounds the status. */
const mostUncounted = 500;

/**
 * Counts pods that have ended, each once whatever happens in between: their uids are written to the status, then they lose their
 * finalizer, then the uids become numbers. Ends the Job when nothing is left to count. `changed` tells that the status must be written.
 */
export async function countPods(run: JobRun, changed: boolean): Promise<void> {
  const { spec, status, actions, job } = run;
  const indexed = isIndexed(spec);
  const tracked = new Set(run.pods.filter(isTracked).map(({ metadata }) => metadata.uid));
  let dirty = countUntracked(run, tracked) || changed;
  const before = status.uncountedTerminatedPods ?? {};
  const succeeded = [...(before.succeeded ?? [])];
  const failed = [...(before.failed ?? [])];
  const [known, knownFailed] = [new Set(succeeded), new Set(failed)];
  const releasing: PodView[] = [];
  let newIndexes = 0;
  const mayRelease = (pod: PodView, hasFailed: boolean): boolean => {
    if (job.metadata.deletionTimestamp !== undefined || run.end !== undefined) return true;
    if (pod.status?.phase === "Succeeded") return true;
    return hasFailed && run.awaiting.get(completionIndexOf(pod) ?? -1)?.metadata.uid !== pod.metadata.uid;
  };
  let isFull = false;
  for (const pod of run.pods) {
    if (isFull) break;
    const hasFailed = isPodFailed(pod, spec);
    if (!isTracked(pod) || !mayRelease(pod, hasFailed)) continue;
    releasing.push(pod);
    const { uid } = pod.metadata;
    if (pod.status?.phase === "Succeeded" && !knownFailed.has(uid)) {
      // The index is enough to count it once.
      if (indexed) newIndexes += 1;
      else if (!known.has(uid)) succeeded.push(uid);
    } else if (hasFailed || (run.end !== undefined && run.end.type !== "SuccessCriteriaMet")) {
      const counts = !knownFailed.has(uid) && (!indexed || validIndexOf(pod, spec) !== undefined);
      if (counts && judgeFailure(spec, pod).counts) failed.push(uid);
    }
    isFull = newIndexes + succeeded.length + failed.length >= mostUncounted;
  }
  if (succeeded.length > known.size || failed.length > knownFailed.size) dirty = true;
  status.uncountedTerminatedPods = uncounted(succeeded, failed);
  if (indexed) dirty = countIndexed(run) || dirty;
  dirty = announceEnd(run) || dirty;
  if (dirty) {
    await actions.save();
    actions.remember(run.backoff);
  }
  const results = await Promise.allSettled(releasing.map(({ metadata }) => actions.untrack(metadata.name)));
  for (const [at, { metadata }] of releasing.entries())
    if (results[at]?.status === "fulfilled") tracked.delete(metadata.uid);
  dirty = countUntracked(run, tracked);
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) {
    if (dirty) await actions.save();
    throw failure.reason;
  }
  const isFinished = !isFull && finish(run);
  if (dirty || isFinished) await actions.save();
  if (isFinished) tellEnd(run);
}

/** Uids of pods that have lost their finalizer become numbers. Whether there were any. */
function countUntracked({ status }: JobRun, tracked: ReadonlySet<string>): boolean {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const left = {
    succeeded: succeeded.filter((uid) => tracked.has(uid)),
    failed: failed.filter((uid) => tracked.has(uid)),
  };
  const [more, lost] = [succeeded.length - left.succeeded.length, failed.length - left.failed.length];
  if (more > 0) status.succeeded = (status.succeeded ?? 0) + more;
  if (lost > 0) status.failed = (status.failed ?? 0) + lost;
  status.uncountedTerminatedPods = uncounted(left.succeeded, left.failed);
  return more + lost > 0;
}

function uncounted(succeeded: readonly string[], failed: readonly string[]) {
  return {
    ...(succeeded.length > 0 && { succeeded: [...succeeded] }),
    ...(failed.length > 0 && { failed: [...failed] }),
  };
}

/** Says which indexes are done. Whether that changed. */
function countIndexed({ status, succeededIndexes, failedIndexes }: JobRun): boolean {
  const done = formatIndexes(succeededIndexes) || undefined;
  const lost = failedIndexes && formatIndexes(failedIndexes);
  const changed = done !== status.completedIndexes || lost !== status.failedIndexes;
  status.completedIndexes = done;
  status.failedIndexes = lost;
  status.succeeded = countIndexes(succeededIndexes) || undefined;
  return changed;
}

/** Says how the Job will end, before the pods that tell so lose their finalizer. Whether that is news. */
function announceEnd(run: JobRun): boolean {
  const { end, status, actions } = run;
  if (end === undefined || end.type === "Failed" || end.type === "Complete") return false;
  const isNews = findTrue(status, end.type) === undefined;
  if (isNews) status.conditions = [...(status.conditions ?? []), trueCondition(end, actions.nowMs)];
  run.end = { ...end, type: end.type === "FailureTarget" ? "Failed" : "Complete" };
  return isNews;
}

/** Ends the Job, unless pods are still to be counted or are stopping. Whether it did. */
function finish({ end, status, terminating, actions: { nowMs } }: JobRun): boolean {
  if (end === undefined || terminating > 0) return false;
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if (succeeded.length + failed.length > 0) return false;
  ensureCondition(status, { ...end, status: "True" }, nowMs);
  if (end.type === "Complete") status.completionTime = formatTime(nowMs);
  return true;
}

function tellEnd({ end, spec, status, actions: { event } }: JobRun): void {
  if (end === undefined) return;
  if (end.type !== "Complete") {
    event("Warning", end.reason, end.message);
    return;
  }
  if (spec.completions !== undefined && (status.succeeded ?? 0) > spec.completions)
    event("Warning", "TooManySucceededPods", "Too many succeeded pods running after completion count reached");
  event("Normal", "Completed", "Job completed");
}
