import type { JobStatus } from "kubewright/k8s/batch/v1";
import type { PodActions, PodView } from "../pod/index.js";
import type { IndexSet } from "./index-set.js";
import type { FinishedCondition } from "./job-conditions.js";
import type { JobSpecView, JobView } from "./job-pods.js";
import type { BackoffRecord } from "./pod-backoff.js";

/** Actions of one Job sync. */
export interface JobActions extends PodActions {
  /** The Pods that the Job controls, and the Pods of its namespace without a controller. */
  readonly pods: () => Promise<readonly PodView[]>;
  readonly adopt: (name: string) => Promise<PodView>;
  readonly release: (name: string) => Promise<unknown>;
  /** Removes the tracking finalizer of a Pod. A missing Pod is not an error. */
  readonly removeFinalizer: (name: string) => Promise<unknown>;
  /** Writes the status immediately. */
  readonly save: () => Promise<void>;
  /** Stores the backoff in memory; a restart of the controller loses it. */
  readonly remember: (record: BackoffRecord) => void;
  readonly nowMs: number;
}

/** The state of one Job sync. */
export interface JobRun {
  readonly job: JobView;
  readonly spec: JobSpecView;
  readonly actions: JobActions;
  /** A draft. */
  readonly status: JobStatus;
  readonly pods: readonly PodView[];
  readonly activePods: readonly PodView[];
  readonly backoff: BackoffRecord;
  /** Succeeded Pods, including uncounted ones; for an Indexed Job, succeeded indexes. */
  succeeded: number;
  active: number;
  ready: number;
  terminating: number;
  finished: FinishedCondition | undefined;
  succeededIndexes: IndexSet;
  /** Only with backoffLimitPerIndex. */
  failedIndexes: IndexSet | undefined;
  /** Failed Pods by index. Their deletion is delayed until their replacement takes over the failure count. */
  readonly delayedDeletions: Map<number, PodView>;
  /** The delay until the next sync, in milliseconds. */
  againMs: number | undefined;
}

/** Requeues the Job after this time, unless it is already requeued earlier. */
export function requeue(run: JobRun, afterMs: number): void {
  run.againMs = Math.min(run.againMs ?? Number.POSITIVE_INFINITY, Math.max(1, afterMs));
}
