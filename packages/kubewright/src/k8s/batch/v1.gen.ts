// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { ObjectReference, PodTemplateSpec } from "../core/v1.gen.js";
import type { LabelSelector, ObjectMeta } from "../meta/v1.gen.js";

/** An object of kind CronJob in batch/v1. */
export interface CronJob {
  apiVersion: "batch/v1";
  kind: "CronJob";
  metadata: ReadMeta;
  spec: CronJobSpec;
  status?: CronJobStatus;
}
interface CronJobTypes { read: CronJob; write: { spec: CronJobSpec; }; status: CronJobStatus; conditions: never }
/** The kind CronJob in batch/v1. */
export const CronJob: Kind<"batch/v1/CronJob", "Namespaced", CronJobTypes> = /* @__PURE__ */ defineKind({ group: "batch", version: "v1", kind: "CronJob", plural: "cronjobs", scope: "Namespaced" });

export interface CronJobSpec {
  concurrencyPolicy?: "Allow" | "Forbid" | "Replace" | undefined;
  failedJobsHistoryLimit?: number | undefined;
  jobTemplate: JobTemplateSpec;
  schedule: string;
  startingDeadlineSeconds?: number | undefined;
  successfulJobsHistoryLimit?: number | undefined;
  suspend?: boolean | undefined;
  timeZone?: string | undefined;
}

export interface CronJobStatus {
  active?: ObjectReference[] | undefined;
  lastScheduleTime?: string | undefined;
  lastSuccessfulTime?: string | undefined;
}

/** An object of kind Job in batch/v1. */
export interface Job {
  apiVersion: "batch/v1";
  kind: "Job";
  metadata: ReadMeta;
  spec: JobSpec;
  status?: JobStatus;
}
interface JobTypes { read: Job; write: { spec: JobSpec; }; status: JobStatus; conditions: never }
/** The kind Job in batch/v1. */
export const Job: Kind<"batch/v1/Job", "Namespaced", JobTypes> = /* @__PURE__ */ defineKind({ group: "batch", version: "v1", kind: "Job", plural: "jobs", scope: "Namespaced" });

export interface JobCondition {
  lastProbeTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface JobSpec {
  activeDeadlineSeconds?: number | undefined;
  backoffLimit?: number | undefined;
  backoffLimitPerIndex?: number | undefined;
  completionMode?: "Indexed" | "NonIndexed" | undefined;
  completions?: number | undefined;
  managedBy?: string | undefined;
  manualSelector?: boolean | undefined;
  maxFailedIndexes?: number | undefined;
  parallelism?: number | undefined;
  podFailurePolicy?: PodFailurePolicy | undefined;
  podReplacementPolicy?: "Failed" | "TerminatingOrFailed" | undefined;
  selector?: LabelSelector | undefined;
  successPolicy?: SuccessPolicy | undefined;
  suspend?: boolean | undefined;
  template: PodTemplateSpec;
  ttlSecondsAfterFinished?: number | undefined;
}

export interface JobStatus {
  active?: number | undefined;
  completedIndexes?: string | undefined;
  completionTime?: string | undefined;
  conditions?: JobCondition[] | undefined;
  failed?: number | undefined;
  failedIndexes?: string | undefined;
  ready?: number | undefined;
  startTime?: string | undefined;
  succeeded?: number | undefined;
  terminating?: number | undefined;
  uncountedTerminatedPods?: UncountedTerminatedPods | undefined;
}

export interface JobTemplateSpec {
  metadata?: ObjectMeta | undefined;
  spec?: JobSpec | undefined;
}

export interface PodFailurePolicy {
  rules: PodFailurePolicyRule[];
}

export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string | undefined;
  operator: "In" | "NotIn";
  values: number[];
}

export interface PodFailurePolicyOnPodConditionsPattern {
  status?: string | undefined;
  type: string;
}

export interface PodFailurePolicyRule {
  action: "Count" | "FailIndex" | "FailJob" | "Ignore";
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement | undefined;
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[] | undefined;
}

export interface SuccessPolicy {
  rules: SuccessPolicyRule[];
}

export interface SuccessPolicyRule {
  succeededCount?: number | undefined;
  succeededIndexes?: string | undefined;
}

export interface UncountedTerminatedPods {
  failed?: string[] | undefined;
  succeeded?: string[] | undefined;
}
