import { invalid, notSupported, required } from "@kubewright/core/schema";
import type { CronJob, CronJobSpec, JobSpec } from "kubewright/k8s/batch/v1";
import { isTimeZone, parseSchedule } from "../../../cron/index.js";
import { ageColumn, ageOf, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { labelName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkEnum, checkNotNegative, type Errors, printSelector } from "../../validation/index.js";
import { containerColumns } from "../apps/workload.js";
import { keepOtherPart, specChanged } from "../spec-and-status.js";
import { applyJobSpecDefaults, canonicalizeJobSpec, checkJobSpec, jobSpecWarnings } from "./job/job-spec.js";

function jobSpecOf(object: Decoded<CronJob>): Decoded<JobSpec> {
  return object.spec?.jobTemplate?.spec ?? {};
}

/** CronJob. */
export const cronJobStrategy: Strategy<CronJob> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    spec.concurrencyPolicy ||= "Allow";
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    applyJobSpecDefaults(childDraft(childDraft(spec, "jobTemplate"), "spec"));
  },
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate: keepOtherPart,
  canonicalize: (draft) =>
    canonicalizeJobSpec(childDraft(childDraft(childDraft(draft, "spec"), "jobTemplate"), "spec")),
  isNewGeneration: specChanged,
  validate(object, old, { subresource }) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    checkSpec(object.spec ?? {}, old?.spec, errors);
    const { name = "" } = object.metadata ?? {};
    if (!old && name.length > 52) errors.push(invalid("metadata.name", name, "must be no more than 52 characters"));
    return errors;
  },
  warn(object, old) {
    const problems = old ? [] : labelName(object.metadata?.name ?? "");
    const isSame = old !== undefined && object.metadata?.generation === old.metadata?.generation;
    const hasZone = old !== undefined && object.spec?.schedule?.includes("TZ");
    return [
      ...(problems.length === 0
        ? []
        : [
            `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
          ]),
      ...(isSame ? [] : jobSpecWarnings(jobSpecOf(object), "spec.jobTemplate.spec")),
      ...(hasZone
        ? [
            "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
          ]
        : []),
    ];
  },
  table: {
    columns: [
      nameColumn,
      { name: "Schedule", type: "string", cell: (object) => object.spec?.schedule ?? "" },
      { name: "Timezone", type: "string", cell: (object) => object.spec?.timeZone || "<none>" },
      {
        name: "Suspend",
        type: "boolean",
        cell: (object) => (object.spec?.suspend ? "True" : "False"),
      },
      { name: "Active", type: "integer", cell: (object) => object.status?.active?.length ?? 0 },
      {
        name: "Last Schedule",
        type: "string",
        cell(object, nowMs) {
          const last = object.status?.lastScheduleTime;
          return last ? ageOf(last, nowMs) : "<none>";
        },
      },
      ageColumn,
      ...containerColumns((object: Decoded<CronJob>) => jobSpecOf(object).template?.spec),
      { name: "Selector", type: "string", priority: 1, cell: (object) => printSelector(jobSpecOf(object).selector) },
    ],
  },
};

function checkSpec(spec: Decoded<CronJobSpec>, old: Decoded<CronJobSpec> | undefined, errors: Errors): void {
  checkSchedule(spec, old, errors);
  checkNotNegative(spec, ["startingDeadlineSeconds"], "spec", errors);
  if (old?.timeZone !== spec.timeZone) checkTimeZone(spec.timeZone, errors);
  checkEnum(spec.concurrencyPolicy ?? "", ["Allow", "Forbid", "Replace"], "spec.concurrencyPolicy", errors);
  const { spec: job = {} } = spec.jobTemplate ?? {};
  const field = "spec.jobTemplate.spec";
  checkJobSpec(job, field, errors);
  if (job.selector) errors.push(invalid(`${field}.selector`, job.selector, "`selector` will be auto-generated"));
  if (job.manualSelector) errors.push(notSupported(`${field}.manualSelector`, true, ["nil", "false"]));
  checkNotNegative(spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"], "spec", errors);
}

function checkSchedule(spec: Decoded<CronJobSpec>, old: Decoded<CronJobSpec> | undefined, errors: Errors): void {
  const { schedule = "" } = spec;
  const field = "spec.schedule";
  if (schedule === "") return void errors.push(required(field));
  try {
    parseSchedule(schedule);
  } catch (error) {
    errors.push(invalid(field, schedule, error instanceof Error ? error.message : String(error)));
  }
  if (!schedule.includes("TZ")) return;
  if (!old?.schedule?.includes("TZ"))
    errors.push(invalid(field, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
  else if (spec.timeZone !== undefined)
    errors.push(invalid(field, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule"));
}

function checkTimeZone(zone: string | undefined, errors: Errors): void {
  if (zone === undefined) return;
  const field = "spec.timeZone";
  if (zone === "") return void errors.push(invalid(field, zone, "timeZone must be nil or non-empty string"));
  if (zone.toLowerCase() === "local")
    errors.push(
      invalid(field, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"),
    );
  else if (!isTimeZone(zone)) errors.push(invalid(field, zone, `unknown time zone ${zone}`));
}
