import type { ReadOf } from "kubewright";
import type { Job } from "kubewright/k8s/batch/v1";
import type { PodView } from "../pod/index.js";

/** A Job as it was read. */
export type JobView = ReadOf<typeof Job>;

/** What is wanted of a Job. */
export type JobSpecView = NonNullable<JobView["spec"]>;

/** Keeps the pods of a Job until they are counted. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";
/** Which index of its Job a pod runs: an annotation and a label. */
export const indexAnnotation = "batch.kubernetes.io/job-completion-index";
/** How often an index had failed when the pod was made. */
export const failuresAnnotation = "batch.kubernetes.io/job-index-failure-count";
/** How many failures of an index were ignored when the pod was made. */
export const ignoredAnnotation = "batch.kubernetes.io/job-index-ignored-failure-count";

/** Whether the pod has not been counted yet. */
export function isTracked({ metadata }: PodView): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

/** Which index the pod runs; undefined where it does not say so. */
export function completionIndexOf({ metadata }: PodView): number | undefined {
  const text = metadata.annotations?.[indexAnnotation];
  return text !== undefined && /^\+?\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** Which index of this Job the pod runs; undefined where the Job has no such index. */
export function validIndexOf(pod: PodView, spec: JobSpecView): number | undefined {
  const index = completionIndexOf(pod);
  return index !== undefined && index < (spec.completions ?? 0) ? index : undefined;
}

/** Whether each pod of the Job has an index. */
export function isIndexed(spec: JobSpecView): boolean {
  return spec.completionMode === "Indexed";
}

/** Whether a pod that is stopping is replaced only when it has stopped. */
export function replacesOnlyFailed(spec: JobSpecView): boolean {
  return spec.podReplacementPolicy === "Failed" || spec.podFailurePolicy !== undefined;
}

/** Whether the pod counts as failed: so does one that is deleted, which may never get to say so, where that is not waited for. */
export function isPodFailed({ metadata, status }: PodView, spec: JobSpecView): boolean {
  if (status?.phase === "Failed") return true;
  if (replacesOnlyFailed(spec)) return false;
  return metadata.deletionTimestamp !== undefined && status?.phase !== "Succeeded";
}

/** The condition that says how the Job has ended; undefined where it has not. */
export function endOf({ status }: JobView) {
  return status?.conditions?.find(
    ({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True",
  );
}

/** Whether the Job has come to its end. */
export function isJobFinished(job: JobView): boolean {
  return endOf(job) !== undefined;
}

/** When the Job ended; undefined where it has not, or does not say when. */
export function jobEndedAtMs(job: JobView): number | undefined {
  const at = endOf(job)?.lastTransitionTime;
  return at === undefined ? undefined : Date.parse(at);
}

/** Whether another program takes care of the Job. */
export function isManagedElsewhere({ spec }: JobView): boolean {
  return spec?.managedBy !== undefined && spec.managedBy !== "kubernetes.io/job-controller";
}

/** How often the pod's index had failed when the pod was made: failures that count, and those that were ignored. */
export function earlierFailures({ metadata }: PodView): { readonly counted: number; readonly ignored: number } {
  const read = (name: string): number => {
    const text = metadata.annotations?.[name] ?? "";
    return /^\+?\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : 0;
  };
  return { counted: read(failuresAnnotation), ignored: read(ignoredAnnotation) };
}
