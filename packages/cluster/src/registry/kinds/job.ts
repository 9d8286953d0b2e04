import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import { childDraft, type Draft, draftOf, listAt, metadataOf, objectAt, textAt } from "../draft.js";
import { humanDuration } from "../human-duration.js";
import { labelName, subdomainName } from "../name-rules.js";
import type { Strategy } from "../resource.js";
import { checkNotNegative, type Errors, immutable, numberAt, optionalNumber } from "./field-checks.js";
import { applyJobSpecDefaults, checkJobSpec, unprinted } from "./job-spec.js";
import { checkLabelSelector, selects } from "./label-selectors.js";
import { templateWarnings } from "./pod-warnings.js";
import {
  checkImmutable,
  checkSelectorFits,
  isSound,
  keepOtherPart,
  setMissing,
  specChanged,
  wideColumns,
} from "./workload.js";

const uidLabels = ["controller-uid", "batch.kubernetes.io/controller-uid"];
const nameLabels = ["job-name", "batch.kubernetes.io/job-name"];

/** Labels of Jobs that defaults took from the template: equal ones that somebody gave are not the same. */
const takenOver = new WeakSet<object>();

/** Jobs: what chooses their pods is made from their uid. */
export const jobStrategy: Strategy = {
  nameRule: subdomainName,
  metadataChecks: 4,
  unconditionalUpdate: true,
  tracksGeneration: true,
  defaultPropagation: "Orphan",
  deleteWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    if (spec["completions"] === undefined && spec["parallelism"] === undefined) spec["completions"] = 1;
    setMissing(spec, "parallelism", 1);
    setMissing(spec, "backoffLimit", spec["backoffLimitPerIndex"] === undefined ? 6 : 2147483647);
    setMissing(spec, "completionMode", "NonIndexed");
    setMissing(spec, "suspend", false);
    setMissing(spec, "podReplacementPolicy", spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed");
    setMissing(spec, "manualSelector", false);
    applyJobSpecDefaults(spec);
    const labels = objectAt(objectAt(objectAt(draft, "spec"), "template"), "metadata")["labels"];
    const metadata = childDraft(draft, "metadata");
    if (isJsonObject(labels) && Object.keys(objectAt(metadata, "labels")).length === 0) {
      metadata["labels"] = draftOf(labels);
      takenOver.add(metadata["labels"] as object);
    }
  },
  prepareNew(draft) {
    const template = objectAt(objectAt(draft, "spec"), "template");
    const metadata = childDraft(draft, "metadata");
    // Labels that were taken over from the template, or would be, share what is generated there.
    const labels = objectAt(metadata, "labels");
    const isNone = Object.keys(labels).length + Object.keys(objectAt(metadataOf(template), "labels")).length === 0;
    const isShared = isNone || takenOver.has(labels);
    if (childDraft(draft, "spec")["manualSelector"] !== true) generateSelector(draft);
    if (isShared)
      metadata["labels"] = draftOf(objectAt(metadataOf(objectAt(objectAt(draft, "spec"), "template")), "labels"));
    draft["status"] = {};
  },
  prepareChange: keepOtherPart,
  isNewGeneration: specChanged,
  check(job, old, subresource) {
    if (subresource === "status") return checkStatus(job, old);
    const errors: Errors = [];
    const spec = objectAt(job, "spec");
    if (!old) checkGenerated(job, errors);
    checkJobSpec(spec, "spec", errors);
    if (!isJsonObject(spec["selector"])) errors.push(required("spec.selector"));
    checkLabelSelector(spec["selector"], "spec.selector", errors);
    if (isSound(spec)) checkSelectorFits(spec, errors);
    if (old) checkUpdate(job, old, errors);
    else checkPodNames(job, errors);
    return errors;
  },
  warn(job, old) {
    const problems = old ? [] : labelName(textAt(metadataOf(job), "name"));
    if (problems.length === 0) return templateWarnings(job, old);
    return [
      `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
      ...templateWarnings(job, old),
    ];
  },
  selectableFields: { "status.successful": (job) => String(numberAt(objectAt(job, "status"), "succeeded")) },
  columns: [
    nameColumn,
    { name: "Status", type: "string", cell: statusOf },
    { name: "Completions", type: "string", cell: completionsOf },
    { name: "Duration", type: "string", cell: durationOf },
    ageColumn,
    ...wideColumns,
  ],
};

function generateSelector(draft: Draft): void {
  const metadata = metadataOf(draft);
  const spec = childDraft(draft, "spec");
  const labels = childDraft(childDraft(childDraft(spec, "template"), "metadata"), "labels");
  for (const label of nameLabels) setMissing(labels, label, textAt(metadata, "name"));
  for (const label of uidLabels) setMissing(labels, label, textAt(metadata, "uid"));
  const chosen = childDraft(childDraft(spec, "selector"), "matchLabels");
  setMissing(chosen, "batch.kubernetes.io/controller-uid", textAt(metadata, "uid"));
}

/** A selector that is not the client's own must be the generated one. */
function checkGenerated(job: JsonObject, errors: Errors): void {
  const spec = objectAt(job, "spec");
  if (spec["manualSelector"] === true || !isJsonObject(spec["selector"])) return;
  const metadata = metadataOf(job);
  const labels = objectAt(metadataOf(objectAt(spec, "template")), "labels");
  const expected: Record<string, string> = {};
  for (const index of [0, 1])
    for (const [label, value] of [
      [uidLabels[index] ?? "", textAt(metadata, "uid")],
      [nameLabels[index] ?? "", textAt(metadata, "name")],
    ] as const) {
      expected[label] = value;
      const field = "spec.template.metadata.labels";
      const given = labels[label];
      if (given === undefined) errors.push(required(field, `must be '${value}'`));
      else if (given !== value) errors.push(invalid(field, labels, `must be '${value}'`));
    }
  if (!selects(spec["selector"], expected))
    errors.push(invalid("spec.selector", spec["selector"], "`selector` not auto-generated"));
}

/** The pods of an indexed job are named after their index, and the longest name must be one. */
function checkPodNames(job: JsonObject, errors: Errors): void {
  const spec = objectAt(job, "spec");
  const completions = numberAt(spec, "completions");
  if (textAt(spec, "completionMode") !== "Indexed" || completions <= 0) return;
  const name = textAt(metadataOf(job), "name");
  const longest = `${name}-${completions - 1}`;
  if (labelName(longest).length > 0)
    errors.push(invalid("metadata.name", name, `will not able to create pod with invalid DNS label: ${longest}`));
}

function checkUpdate(job: JsonObject, old: JsonObject, errors: Errors): void {
  const spec = objectAt(job, "spec");
  const before = objectAt(old, "spec");
  if (textAt(spec, "completionMode") !== "Indexed") checkImmutable(job, old, "completions", errors);
  else if (spec["completions"] !== undefined && spec["completions"] !== before["completions"]) {
    if (spec["completions"] !== spec["parallelism"])
      errors.push(
        invalid(
          "spec.completions",
          numberAt(spec, "completions"),
          "can only be modified in tandem with spec.parallelism",
        ),
      );
  }
  checkImmutable(job, old, "selector", errors);
  checkTemplateUpdate(job, old, errors);
  for (const key of ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"])
    checkImmutable(job, old, key, errors);
}

/** Where pods run may be changed while a job is suspended and has not begun. */
function checkTemplateUpdate(job: JsonObject, old: JsonObject, errors: Errors): void {
  const template = objectAt(objectAt(job, "spec"), "template");
  const isSuspended = objectAt(old, "spec")["suspend"] === true;
  const hasBegun = objectAt(old, "status")["startTime"] !== undefined;
  let before = objectAt(objectAt(old, "spec"), "template");
  if (isSuspended && !hasBegun) before = withDirectives(before, template);
  if (!deepEqual(template, before)) errors.push(invalid("spec.template", template, immutable));
}

function withDirectives(old: JsonObject, next: JsonObject): JsonObject {
  const take = (into: JsonObject, from: JsonObject, keys: readonly string[]): JsonObject => {
    const result: Record<string, JsonObject[string]> = { ...into };
    for (const key of keys) {
      const value = from[key];
      if (value === undefined) delete result[key];
      else result[key] = value;
    }
    return result;
  };
  const spec = take(objectAt(old, "spec"), objectAt(next, "spec"), [
    "nodeSelector",
    "tolerations",
    "schedulingGates",
    "affinity",
  ]);
  return { ...old, metadata: take(metadataOf(old), metadataOf(next), ["labels", "annotations"]), spec };
}

function hasCondition(job: JsonObject, type: string): boolean {
  return listAt(objectAt(job, "status"), "conditions").some(
    (one) => isJsonObject(one) && one["type"] === type && one["status"] === "True",
  );
}

function checkStatus(job: JsonObject, old: JsonObject | undefined): Errors {
  const errors: Errors = [];
  const status = objectAt(job, "status");
  checkNotNegative(status, ["active", "succeeded", "failed", "ready", "terminating"], "status", errors);
  // What was so before is not told again.
  const was = (type: string): boolean => old !== undefined && hasCondition(old, type);
  const isComplete = hasCondition(job, "Complete");
  const isFailed = hasCondition(job, "Failed");
  const isFinished = isComplete || isFailed;
  const isNew = !(was("Complete") || was("Failed")) || !deepEqual(status, old && objectAt(old, "status"));
  const conditions = (text: string): void => void errors.push(unprinted("status.conditions", text));
  if (isComplete && isFailed) conditions("cannot set Complete=True and Failed=true conditions");
  if (isComplete && hasCondition(job, "FailureTarget"))
    conditions("cannot set Complete=True and FailureTarget=true conditions");
  const ended = textAt(status, "completionTime");
  const begun = textAt(status, "startTime");
  if (ended !== "" && !isComplete)
    errors.push(
      invalid("status.completionTime", ended, "cannot set completionTime when there is no Complete=True condition"),
    );
  if (ended === "" && isComplete)
    errors.push(required("status.completionTime", "completionTime is required for Complete jobs"));
  if (begun !== "" && ended !== "" && ended < begun)
    errors.push(invalid("status.completionTime", ended, "must be equal to or after `startTime`"));
  if (isNew && isFailed && !was("Failed") && !hasCondition(job, "FailureTarget"))
    conditions("cannot set Failed=True condition without the FailureTarget=true condition");
  if (isNew && isComplete && !was("Complete") && !hasCondition(job, "SuccessCriteriaMet"))
    conditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
  if (numberAt(status, "active") > 0 && isFinished)
    errors.push(invalid("status.active", numberAt(status, "active"), "active>0 is invalid for finished job"));
  if (begun === "" && isFinished) errors.push(required("status.startTime", "startTime is required for finished job"));
  if (numberAt(status, "terminating") > 0 && isFinished)
    errors.push(
      invalid("status.terminating", numberAt(status, "terminating"), "terminating>0 is invalid for finished job"),
    );
  const ready = optionalNumber(status, "ready");
  if (ready !== undefined && ready > numberAt(status, "active"))
    errors.push(invalid("status.ready", ready, "cannot set more ready pods than active"));
  if (hasCondition(job, "SuccessCriteriaMet")) {
    if (isFailed) conditions("cannot set SuccessCriteriaMet=True and Failed=true conditions");
    if (hasCondition(job, "FailureTarget"))
      conditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  }
  return errors;
}

function statusOf(job: JsonObject): string {
  if (hasCondition(job, "Complete")) return "Complete";
  if (hasCondition(job, "Failed")) return "Failed";
  if (metadataOf(job)["deletionTimestamp"] !== undefined) return "Terminating";
  for (const type of ["Suspended", "FailureTarget", "SuccessCriteriaMet"]) if (hasCondition(job, type)) return type;
  return "Running";
}

function completionsOf(job: JsonObject): string {
  const spec = objectAt(job, "spec");
  const succeeded = numberAt(objectAt(job, "status"), "succeeded");
  const completions = optionalNumber(spec, "completions");
  if (completions !== undefined) return `${succeeded}/${completions}`;
  const parallelism = numberAt(spec, "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf(job: JsonObject, nowMs: number): string {
  const status = objectAt(job, "status");
  const begun = textAt(status, "startTime");
  if (begun === "") return "";
  const ended = textAt(status, "completionTime");
  return humanDuration((ended === "" ? nowMs : Date.parse(ended)) - Date.parse(begun));
}
