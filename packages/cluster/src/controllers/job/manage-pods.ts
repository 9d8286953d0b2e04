import {
  isPodReady,
  isPodTerminating,
  makePod,
  type PodView,
  podsToDelete,
  removePod,
  slowStart,
} from "../pod/index.js";
import { judgeFailure } from "./failure-policy.js";
import { firstMissing, indexSet, mergeIndexes } from "./index-set.js";
import {
  completionIndexOf,
  earlierFailures,
  isIndexed,
  isTracked,
  replacesOnlyFailed,
  validIndexOf,
} from "./job-pods.js";
import { comeBack, type JobRun } from "./job-run.js";
import { jobTemplate } from "./job-template.js";
import { endedAtMs, remainingMs } from "./pod-backoff.js";

/** How many pods are made or deleted in one run at most. */
const burst = 500;
/** How often a Job is looked at that waits. */
const batchMs = 1_000;

/** Makes or deletes pods until as many run as should. Gives the first failure. */
export async function managePods(run: JobRun): Promise<unknown> {
  const { spec, activePods } = run;
  const { parallelism = 1, completions } = spec;
  if (spec.suspend === true) return removeActive(run, surplus(run, activePods.length), true);
  const wanted =
    completions === undefined
      ? run.succeeded > 0
        ? run.active
        : parallelism
      : Math.max(0, Math.min(completions - run.succeeded, parallelism));
  const tooMany = surplus(run, Math.max(0, run.active - wanted)).slice(0, burst);
  if (tooMany.length > 0) return removeActive(run, tooMany, true);
  const stopping = replacesOnlyFailed(spec) ? run.terminating : 0;
  const missing = Math.min(wanted - stopping - run.active, burst);
  return missing > 0 ? makePods(run, missing) : undefined;
}

/** Deletes pods, without their finalizer where they are not to be counted. Gives the first failure. */
export async function removeActive(run: JobRun, pods: readonly PodView[], untracked: boolean): Promise<unknown> {
  const { actions } = run;
  const results = await Promise.allSettled(
    pods.map(async (pod) => {
      const { name } = pod.metadata;
      if (untracked && isTracked(pod)) await actions.untrack(name);
      await removePod(name, actions);
      run.active -= 1;
      run.terminating += 1;
      if (isPodReady(pod)) run.ready -= 1;
    }),
  );
  return results.find((result) => result.status === "rejected")?.reason;
}

async function makePods(run: JobRun, missing: number): Promise<unknown> {
  const { job, spec, actions } = run;
  const perIndex = spec.backoffLimitPerIndex !== undefined;
  const waitMs = perIndex ? 0 : remainingMs(run.backoff, actions.nowMs);
  if (waitMs > 0) return comeBack(run, Math.max(batchMs, waitMs));
  let indexes: readonly (number | undefined)[] = Array.from({ length: missing }, () => undefined);
  if (isIndexed(spec)) {
    const pending = pendingIndexes(run, missing);
    const waits = pending.map((index) => indexWaitMs(run, index));
    indexes = pending.filter((_, at) => waits[at] === 0);
    if (indexes.length === 0) return pending.length > 0 && comeBackFirst(run, waits);
  }
  const template = jobTemplate(job);
  const { error, succeeded } = await slowStart(indexes.length, (at) => {
    const { prefix, body } = template(indexes[at], indexes[at] === undefined ? undefined : countsOf(run, indexes[at]));
    return makePod(prefix, body, actions);
  });
  run.active += succeeded;
  return error;
}

function comeBackFirst(run: JobRun, waits: readonly number[]): undefined {
  comeBack(run, Math.max(batchMs, Math.min(...waits)));
}

/** For how long the pod of an index may not be made again. */
function indexWaitMs({ awaiting, actions }: JobRun, index: number): number {
  const last = awaiting.get(index);
  if (last === undefined) return 0;
  const { counted, ignored } = earlierFailures(last);
  return remainingMs({ failures: counted + ignored + 1, lastMs: endedAtMs(last) }, actions.nowMs);
}

/** How often an index has failed, for the pod that is made next; undefined where that is not counted. */
function countsOf({ spec, awaiting }: JobRun, index: number) {
  if (spec.backoffLimitPerIndex === undefined) return undefined;
  const last = awaiting.get(index);
  if (last === undefined) return { counted: 0, ignored: 0 };
  const { counted, ignored } = earlierFailures(last);
  return judgeFailure(spec, last).counts ? { counted: counted + 1, ignored } : { counted, ignored: ignored + 1 };
}

/** The first indexes that nothing is done for. */
function pendingIndexes(run: JobRun, count: number): readonly number[] {
  const { spec, pods, activePods, succeededIndexes, failedIndexes = [] } = run;
  const busy = replacesOnlyFailed(spec) ? [...activePods, ...pods.filter(isPodTerminating)] : activePods;
  const held = indexSet(busy.flatMap((pod) => completionIndexOf(pod) ?? []));
  const taken = mergeIndexes(mergeIndexes(succeededIndexes, held), failedIndexes);
  return firstMissing(taken, count, spec.completions ?? 0);
}

/** At least so many active pods that may go: first those whose index is wrong or taken. */
function surplus({ spec, activePods, actions }: JobRun, atLeast: number): readonly PodView[] {
  const going: PodView[] = [];
  const byIndex = new Map<number, PodView[]>();
  if (isIndexed(spec))
    for (const pod of activePods) {
      const index = validIndexOf(pod, spec);
      if (index === undefined) going.push(pod);
      else byIndex.set(index, [...(byIndex.get(index) ?? []), pod]);
    }
  for (const pods of byIndex.values()) going.push(...podsToDelete(pods, [], pods.length - 1, actions.nowMs));
  const more = atLeast - going.length;
  if (more <= 0) return going;
  const left = activePods.filter((pod) => !going.includes(pod));
  return [...going, ...podsToDelete(left, [], more, actions.nowMs)];
}
