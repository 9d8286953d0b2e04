import type { ReadOf } from "kubewright";
import type { Job } from "kubewright/k8s/batch/v1";
import type { PodView } from "../pod/index.js";

/** A Job from the cache. */
export type JobView = ReadOf<typeof Job>;

/** The spec of a Job. */
export type JobSpecView = NonNullable<JobView["spec"]>;

/** Blocks the deletion of a Job's Pod until it is counted. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";
/** The completion index of a Pod, as annotation and label. */
export const indexAnnotation = "batch.kubernetes.io/job-completion-index";
/** Failures of the index before this Pod was created. */
export const failuresAnnotation = "batch.kubernetes.io/job-index-failure-count";
/** Ignored failures of the index before this Pod was created. */
export const ignoredAnnotation = "batch.kubernetes.io/job-index-ignored-failure-count";

/** Whether the Pod has the tracking finalizer: it is not counted yet. */
export function isTracked({ metadata }: PodView): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

/** The completion index of a Pod; undefined if it has none. */
export function completionIndexOf({ metadata }: PodView): number | undefined {
  const text = metadata.annotations?.[indexAnnotation];
  return text !== undefined && /^\+?\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** The completion index of a Pod if it is below `completions`; else undefined. */
export function validIndexOf(pod: PodView, spec: JobSpecView): number | undefined {
  const index = completionIndexOf(pod);
  return index !== undefined && index < (spec.completions ?? 0) ? index : undefined;
}

/** Whether completionMode is Indexed. */
export function isIndexed(spec: JobSpecView): boolean {
  return spec.completionMode === "Indexed";
}

/** Whether podReplacementPolicy is Failed: a terminating Pod is replaced only once it is terminal. */
export function replacesOnlyFailed(spec: JobSpecView): boolean {
  return spec.podReplacementPolicy === "Failed" || spec.podFailurePolicy !== undefined;
}

/** Whether the Pod counts as failed. Unless podReplacementPolicy is Failed, a terminating Pod does, because it may never report a phase. */
export function isPodFailed({ metadata, status }: PodView, spec: JobSpecView): boolean {
  if (status?.phase === "Failed") return true;
  if (replacesOnlyFailed(spec)) return false;
  return metadata.deletionTimestamp !== undefined && status?.phase !== "Succeeded";
}

/** The condition Complete or Failed of a finished Job; undefined if the Job is not finished. */
export function finishedConditionOf({ status }: JobView) {
  return status?.conditions?.find(
    ({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True",
  );
}

/** Whether the Job is finished. */
export function isJobFinished(job: JobView): boolean {
  return finishedConditionOf(job) !== undefined;
}

/** When the Job finished; undefined if it is not finished, or the time is unknown. */
export function jobFinishedAtMs(job: JobView): number | undefined {
  const at = finishedConditionOf(job)?.lastTransitionTime;
  return at === undefined ? undefined : Date.parse(at);
}

/** Whether spec.managedBy names another controller. */
export function isManagedByOther({ spec }: JobView): boolean {
  return spec?.managedBy !== undefined && spec.managedBy !== "kubernetes.io/job-controller";
}

/** Counted and ignored failures of the Pod's index before the Pod was created. */
export function indexFailures({ metadata }: PodView): { readonly counted: number; readonly ignored: number } {
  const read = (name: string): number => {
    const text = metadata.annotations?.[name] ?? "";
    return /^\+?\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : 0;
  };
  return { counted: read(failuresAnnotation), ignored: read(ignoredAnnotation) };
}
