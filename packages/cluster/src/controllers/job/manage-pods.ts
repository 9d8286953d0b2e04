import {
  createPod,
  deletePod,
  isPodReady,
  isPodTerminating,
  type PodView,
  podsToDelete,
  slowStart,
} from "../pod/index.js";
import { firstMissing, indexSet, mergeIndexes } from "./index-set.js";
import {
  completionIndexOf,
  indexFailures,
  isIndexed,
  isTracked,
  replacesOnlyFailed,
  validIndexOf,
} from "./job-pods.js";
import { type JobRun, requeue } from "./job-run.js";
import { jobTemplate } from "./job-template.js";
import { finishedAtMs, remainingBackoffMs } from "./pod-backoff.js";
import { matchPodFailurePolicy } from "./pod-failure-policy.js";

/** MaxPodCreateDeletePerSync: the maximum of Pods that one sync creates or deletes. */
const burst = 500;
/** The minimum delay of a requeue during backoff. */
const minBackoffRequeueMs = 1_000;

/** Creates or deletes Pods up to the desired parallelism. Returns the first error. */
export async function managePods(run: JobRun): Promise<unknown> {
  const { spec, activePods } = run;
  const { parallelism = 1, completions } = spec;
  if (spec.suspend === true) return deleteActivePods(run, surplus(run, activePods.length), true);
  const desired =
    completions === undefined
      ? run.succeeded > 0
        ? run.active
        : parallelism
      : Math.max(0, Math.min(completions - run.succeeded, parallelism));
  const podsToRemove = surplus(run, Math.max(0, run.active - desired)).slice(0, burst);
  if (podsToRemove.length > 0) return deleteActivePods(run, podsToRemove, true);
  const terminating = replacesOnlyFailed(spec) ? run.terminating : 0;
  const missing = Math.min(desired - terminating - run.active, burst);
  return missing > 0 ? createPods(run, missing) : undefined;
}

/** Deletes Pods; with `untracked`, removes their finalizer first so that they are not counted. Returns the first error. */
export async function deleteActivePods(run: JobRun, pods: readonly PodView[], untracked: boolean): Promise<unknown> {
  const { actions } = run;
  const results = await Promise.allSettled(
    pods.map(async (pod) => {
      const { name } = pod.metadata;
      if (untracked && isTracked(pod)) await actions.removeFinalizer(name);
      await deletePod(name, actions);
      run.active -= 1;
      run.terminating += 1;
      if (isPodReady(pod)) run.ready -= 1;
    }),
  );
  return results.find((result) => result.status === "rejected")?.reason;
}

async function createPods(run: JobRun, missing: number): Promise<unknown> {
  const { job, spec, actions } = run;
  const perIndex = spec.backoffLimitPerIndex !== undefined;
  const waitMs = perIndex ? 0 : remainingBackoffMs(run.backoff, actions.nowMs);
  if (waitMs > 0) return requeue(run, Math.max(minBackoffRequeueMs, waitMs));
  let indexes: readonly (number | undefined)[] = Array.from({ length: missing }, () => undefined);
  if (isIndexed(spec)) {
    const pending = pendingIndexes(run, missing);
    const waits = pending.map((index) => indexWaitMs(run, index));
    indexes = pending.filter((_, at) => waits[at] === 0);
    if (indexes.length === 0) {
      if (pending.length > 0) requeue(run, Math.max(minBackoffRequeueMs, Math.min(...waits)));
      return undefined;
    }
  }
  const template = jobTemplate(job);
  const { error, succeeded } = await slowStart(indexes.length, (at) => {
    const { prefix, body } = template(indexes[at], indexes[at] === undefined ? undefined : countsOf(run, indexes[at]));
    return createPod(prefix, body, actions);
  });
  run.active += succeeded;
  return error;
}

/** The remaining backoff of an index. */
function indexWaitMs({ delayedDeletions, actions }: JobRun, index: number): number {
  const last = delayedDeletions.get(index);
  if (last === undefined) return 0;
  const { counted, ignored } = indexFailures(last);
  return remainingBackoffMs({ failures: counted + ignored + 1, lastMs: finishedAtMs(last) }, actions.nowMs);
}

/** The failure counts of an index for its next Pod; undefined without backoffLimitPerIndex. */
function countsOf({ spec, delayedDeletions }: JobRun, index: number) {
  if (spec.backoffLimitPerIndex === undefined) return undefined;
  const last = delayedDeletions.get(index);
  if (last === undefined) return { counted: 0, ignored: 0 };
  const { counted, ignored } = indexFailures(last);
  return matchPodFailurePolicy(spec, last).counts
    ? { counted: counted + 1, ignored }
    : { counted, ignored: ignored + 1 };
}

/** The first indexes that are neither finished nor running. */
function pendingIndexes(run: JobRun, count: number): readonly number[] {
  const { spec, pods, activePods, succeededIndexes, failedIndexes = [] } = run;
  const running = replacesOnlyFailed(spec) ? [...activePods, ...pods.filter(isPodTerminating)] : activePods;
  const runningIndexes = indexSet(running.flatMap((pod) => completionIndexOf(pod) ?? []));
  const excluded = mergeIndexes(mergeIndexes(succeededIndexes, runningIndexes), failedIndexes);
  return firstMissing(excluded, count, spec.completions ?? 0);
}

/** At least `atLeast` active Pods to delete, including all with an invalid or duplicate index. */
function surplus({ spec, activePods, actions }: JobRun, atLeast: number): readonly PodView[] {
  const selected: PodView[] = [];
  const byIndex = new Map<number, PodView[]>();
  if (isIndexed(spec))
    for (const pod of activePods) {
      const index = validIndexOf(pod, spec);
      if (index === undefined) selected.push(pod);
      else byIndex.set(index, [...(byIndex.get(index) ?? []), pod]);
    }
  for (const pods of byIndex.values()) selected.push(...podsToDelete(pods, [], pods.length - 1, actions.nowMs));
  const more = atLeast - selected.length;
  if (more <= 0) return selected;
  const left = activePods.filter((pod) => !selected.includes(pod));
  return [...selected, ...podsToDelete(left, [], more, actions.nowMs)];
}
