import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { invalid, notSupported, required } from "@kubewright/core/schema";
import { isTimeZone, parseSchedule } from "../../../cron/index.js";
import { ageColumn, ageOf, nameColumn } from "../../columns.js";
import { childDraft, listAt, metadataOf, objectAt, setDefault, setMissing, textAt } from "../../draft.js";
import { labelName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkEnum, checkNotNegative, type Errors, printSelector } from "../../validation/index.js";
import { containerColumns } from "../apps/workload.js";
import { keepOtherPart, specChanged } from "../spec-and-status.js";
import { applyJobSpecDefaults, checkJobSpec, finishJobSpec, jobSpecWarnings } from "./job/job-spec.js";

function jobSpecOf(object: JsonObject): JsonObject {
  return objectAt(objectAt(objectAt(object, "spec"), "jobTemplate"), "spec");
}

/** CronJob. */
export const cronJobStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    setDefault(spec, "concurrencyPolicy", "Allow");
    setMissing(spec, "suspend", false);
    setMissing(spec, "successfulJobsHistoryLimit", 3);
    setMissing(spec, "failedJobsHistoryLimit", 1);
    applyJobSpecDefaults(childDraft(childDraft(spec, "jobTemplate"), "spec"));
  },
  prepareForCreate(draft) {
    draft["status"] = {};
  },
  prepareForUpdate: keepOtherPart,
  canonicalize: (draft) => finishJobSpec(childDraft(childDraft(childDraft(draft, "spec"), "jobTemplate"), "spec")),
  isNewGeneration: specChanged,
  validate(object, old, { subresource }) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    checkSpec(objectAt(object, "spec"), old && objectAt(old, "spec"), errors);
    const name = textAt(metadataOf(object), "name");
    if (!old && name.length > 52) errors.push(invalid("metadata.name", name, "must be no more than 52 characters"));
    return errors;
  },
  warn(object, old) {
    const problems = old ? [] : labelName(textAt(metadataOf(object), "name"));
    const isSame = old !== undefined && metadataOf(object)["generation"] === metadataOf(old)["generation"];
    const hasZone = old !== undefined && textAt(objectAt(object, "spec"), "schedule").includes("TZ");
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
      { name: "Schedule", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "schedule") },
      { name: "Timezone", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "timeZone") || "<none>" },
      {
        name: "Suspend",
        type: "boolean",
        cell: (object) => (objectAt(object, "spec")["suspend"] === true ? "True" : "False"),
      },
      { name: "Active", type: "integer", cell: (object) => listAt(objectAt(object, "status"), "active").length },
      {
        name: "Last Schedule",
        type: "string",
        cell(object, nowMs) {
          const last = textAt(objectAt(object, "status"), "lastScheduleTime");
          return last === "" ? "<none>" : ageOf(last, nowMs);
        },
      },
      ageColumn,
      ...containerColumns((object) => objectAt(objectAt(jobSpecOf(object), "template"), "spec")),
      { name: "Selector", type: "string", priority: 1, cell: (object) => printSelector(jobSpecOf(object)["selector"]) },
    ],
  },
};

function checkSpec(spec: JsonObject, old: JsonObject | undefined, errors: Errors): void {
  checkSchedule(spec, old, errors);
  checkNotNegative(spec, ["startingDeadlineSeconds"], "spec", errors);
  if (!old || old["timeZone"] !== spec["timeZone"]) checkTimeZone(spec["timeZone"], errors);
  checkEnum(textAt(spec, "concurrencyPolicy"), ["Allow", "Forbid", "Replace"], "spec.concurrencyPolicy", errors);
  const job = objectAt(objectAt(spec, "jobTemplate"), "spec");
  const field = "spec.jobTemplate.spec";
  checkJobSpec(job, field, errors);
  if (isJsonObject(job["selector"]))
    errors.push(invalid(`${field}.selector`, job["selector"], "`selector` will be auto-generated"));
  if (job["manualSelector"] === true) errors.push(notSupported(`${field}.manualSelector`, true, ["nil", "false"]));
  checkNotNegative(spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"], "spec", errors);
}

function checkSchedule(spec: JsonObject, old: JsonObject | undefined, errors: Errors): void {
  const schedule = textAt(spec, "schedule");
  const field = "spec.schedule";
  if (schedule === "") return void errors.push(required(field));
  try {
    parseSchedule(schedule);
  } catch (error) {
    errors.push(invalid(field, schedule, error instanceof Error ? error.message : String(error)));
  }
  if (!schedule.includes("TZ")) return;
  const hadZone = old !== undefined && textAt(old, "schedule").includes("TZ");
  if (!hadZone)
    errors.push(invalid(field, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
  else if (spec["timeZone"] !== undefined)
    errors.push(invalid(field, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule"));
}

function checkTimeZone(zone: JsonObject[string] | undefined, errors: Errors): void {
  if (typeof zone !== "string") return;
  const field = "spec.timeZone";
  if (zone === "") return void errors.push(invalid(field, zone, "timeZone must be nil or non-empty string"));
  if (zone.toLowerCase() === "local")
    errors.push(
      invalid(field, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"),
    );
  else if (!isTimeZone(zone)) errors.push(invalid(field, zone, `unknown time zone ${zone}`));
}
