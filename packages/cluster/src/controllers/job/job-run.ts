import type { JobStatus } from "kubewright/k8s/batch/v1";
import type { PodActions, PodView } from "../pod/index.js";
import type { IndexSet } from "./index-set.js";
import type { JobEnd } from "./job-conditions.js";
import type { JobSpecView, JobView } from "./job-pods.js";
import type { BackoffRecord } from "./pod-backoff.js";

/** What a run can do. */
export interface JobActions extends PodActions {
  /** The pods that the Job controls, and those of its namespace that nothing controls. */
  readonly pods: () => Promise<readonly PodView[]>;
  readonly adopt: (name: string) => Promise<PodView>;
  readonly release: (name: string) => Promise<unknown>;
  /** Takes the finalizer off a pod; one that is gone is no error. */
  readonly untrack: (name: string) => Promise<unknown>;
  /** Writes the status at once. */
  readonly save: () => Promise<void>;
  /** Remembers when pods failed, for as long as this program runs. */
  readonly remember: (record: BackoffRecord) => void;
  readonly nowMs: number;
}

/** What a run has found and decided so far. */
export interface JobRun {
  readonly job: JobView;
  readonly spec: JobSpecView;
  readonly actions: JobActions;
  /** The draft. */
  readonly status: JobStatus;
  readonly pods: readonly PodView[];
  readonly activePods: readonly PodView[];
  readonly backoff: BackoffRecord;
  /** Pods that have succeeded, with those that are not counted yet; of an indexed Job, indexes. */
  succeeded: number;
  active: number;
  ready: number;
  terminating: number;
  end: JobEnd | undefined;
  succeededIndexes: IndexSet;
  /** Only where failures are counted by index. */
  failedIndexes: IndexSet | undefined;
  /** Failed pods whose count of failures goes over to the pod that comes after them. */
  readonly awaiting: Map<number, PodView>;
  /** In how many milliseconds to look again. */
  againMs: number | undefined;
}

/** Looks again after this time, or before if something else asks for it. */
export function comeBack(run: JobRun, afterMs: number): void {
  run.againMs = Math.min(run.againMs ?? Number.POSITIVE_INFINITY, Math.max(1, afterMs));
}
