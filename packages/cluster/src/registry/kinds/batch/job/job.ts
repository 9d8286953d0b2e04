import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../../columns.js";
import {
  childDraft,
  type Draft,
  draftOf,
  listAt,
  metadataOf,
  numberAt,
  objectAt,
  optionalNumber,
  partAt,
  setMissing,
  textAt,
} from "../../../draft.js";
import { humanDuration } from "../../../human-duration.js";
import { labelName, subdomainName } from "../../../name-rules.js";
import type { Strategy } from "../../../strategy.js";
import { checkLabelSelector, type Errors, immutable, selects } from "../../../validation/index.js";
import { checkImmutable, isSound, wideColumns } from "../../apps/workload.js";
import { keepOtherPart, specChanged } from "../../spec-and-status.js";
import { applyJobSpecDefaults, checkJobSpec, finishJobSpec, jobSpecWarnings } from "./job-spec.js";
import { checkJobStatus, hasCondition } from "./job-status.js";

const uidLabels = ["controller-uid", "batch.kubernetes.io/controller-uid"];
const nameLabels = ["job-name", "batch.kubernetes.io/job-name"];

/** Labels that defaulting copied from the template, in contrast to equal labels of the client. */
const takenOver = new WeakSet<object>();

/** Job: the selector is generated from the uid. */
export const jobStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
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
  prepareForCreate(draft) {
    const template = objectAt(objectAt(draft, "spec"), "template");
    const metadata = childDraft(draft, "metadata");
    // Labels that defaulting copies from the template include the generated ones.
    const labels = objectAt(metadata, "labels");
    const isNone = Object.keys(labels).length + Object.keys(objectAt(metadataOf(template), "labels")).length === 0;
    const isShared = isNone || takenOver.has(labels);
    if (childDraft(draft, "spec")["manualSelector"] !== true) generateSelector(draft);
    if (isShared)
      metadata["labels"] = draftOf(objectAt(metadataOf(objectAt(objectAt(draft, "spec"), "template")), "labels"));
    draft["status"] = {};
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    // Defaulting copies the labels of the template; they have no field owner.
    const metadata = childDraft(draft, "metadata");
    const labels = objectAt(metadataOf(objectAt(objectAt(draft, "spec"), "template")), "labels");
    if (Object.keys(objectAt(metadata, "labels")).length === 0 && Object.keys(labels).length > 0)
      metadata["labels"] = draftOf(labels);
  },
  canonicalize: (draft) => finishJobSpec(childDraft(draft, "spec")),
  isNewGeneration: specChanged,
  validate(job, old, { subresource }) {
    if (subresource === "status") return checkJobStatus(job, old ?? {});
    const errors: Errors = [];
    const spec = objectAt(job, "spec");
    checkGenerated(job, old, errors);
    checkWholeSpec(spec, errors);
    checkPodNames(job, errors);
    if (old) checkUpdate(job, old, errors);
    return errors;
  },
  warn(job, old) {
    const problems = old ? [] : labelName(textAt(metadataOf(job), "name"));
    const isSame = old !== undefined && metadataOf(job)["generation"] === metadataOf(old)["generation"];
    return [
      ...(problems.length === 0
        ? []
        : [
            `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
          ]),
      ...(isSame ? [] : jobSpecWarnings(objectAt(job, "spec"), "spec")),
    ];
  },
  selectableFields: { "status.successful": (job) => String(numberAt(objectAt(job, "status"), "succeeded")) },
  deletion: {
    defaultPropagation: "Orphan",
    warning:
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  },
  table: {
    columns: [
      nameColumn,
      { name: "Status", type: "string", cell: statusOf },
      { name: "Completions", type: "string", cell: completionsOf },
      { name: "Duration", type: "string", cell: durationOf },
      ageColumn,
      ...wideColumns,
    ],
  },
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

function checkWholeSpec(spec: JsonObject, errors: Errors): void {
  checkJobSpec(spec, "spec", errors);
  if (!isJsonObject(spec["selector"])) errors.push(required("spec.selector"));
  checkLabelSelector(spec["selector"], "spec.selector", errors);
  if (!isSound(spec)) return;
  const labels = metadataOf(objectAt(spec, "template"))["labels"] ?? null;
  if (!isJsonObject(spec["selector"]) || !selects(spec["selector"], isJsonObject(labels) ? labels : {}))
    errors.push(invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"));
}

/** Without manualSelector the selector must be the generated one. */
function checkGenerated(job: JsonObject, old: JsonObject | undefined, errors: Errors): void {
  const spec = objectAt(job, "spec");
  if (spec["manualSelector"] === true || !isJsonObject(spec["selector"])) return;
  const metadata = metadataOf(job);
  const labels = objectAt(metadataOf(objectAt(spec, "template")), "labels");
  const expected: Record<string, string> = {};
  // Older Jobs have only the labels without a domain.
  const had = old && objectAt(metadataOf(objectAt(objectAt(old, "spec"), "template")), "labels");
  const hasDomain = had === undefined || [uidLabels[1], nameLabels[1]].every((label) => had[label ?? ""] !== undefined);
  for (const index of hasDomain ? [0, 1] : [0])
    for (const [label, value] of [
      [uidLabels[index] ?? "", textAt(metadata, "uid")],
      [nameLabels[index] ?? "", textAt(metadata, "name")],
    ] as const) {
      expected[label] = value;
      const field = "spec.template.metadata.labels";
      const given = labels[label];
      if (given === undefined) errors.push(required(`${field}[${label}]`, `must be '${value}'`));
      else if (given !== value) errors.push(invalid(field, labels, `must be '${value}'`));
    }
  if (isSound(spec) && !selects(spec["selector"], expected))
    errors.push(invalid("spec.selector", spec["selector"] ?? null, "`selector` not auto-generated"));
}

/** The pod names of an Indexed Job end with the index; the longest one must be valid. */
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

/** Scheduling directives and resources of the template are mutable while a Job is suspended and no pod runs. */
function checkTemplateUpdate(job: JsonObject, old: JsonObject, errors: Errors): void {
  const template = objectAt(objectAt(job, "spec"), "template");
  const status = objectAt(old, "status");
  const before = objectAt(objectAt(old, "spec"), "template");
  const isStill =
    objectAt(old, "spec")["suspend"] === true &&
    (status["startTime"] === undefined || hasCondition(old, "Suspended")) &&
    numberAt(status, "active") === 0;
  if (!isStill) {
    if (!deepEqual(template, before)) errors.push(invalid("spec.template", template, immutable));
    return;
  }
  const pod = objectAt(template, "spec");
  if (!deepEqual(pod, withDirectives(objectAt(before, "spec"), pod)))
    errors.push(invalid("spec.template.spec", pod, immutable));
}

/** The old spec with the new values of the mutable fields. */
function withDirectives(old: JsonObject, next: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = { ...old };
  const set = (key: string, value: JsonValue | undefined): void => {
    if (value === undefined) delete result[key];
    else result[key] = value;
  };
  for (const key of ["nodeSelector", "tolerations", "schedulingGates"]) set(key, next[key]);
  const [affinity, before] = [partAt(next, "affinity"), partAt(old, "affinity")];
  const { nodeAffinity: _, ...rest } = before ?? {};
  const node = affinity?.["nodeAffinity"];
  if (affinity) set("affinity", node === undefined ? rest : { ...rest, nodeAffinity: node });
  else set("affinity", Object.keys(rest).length === 0 ? undefined : rest);
  for (const list of ["containers", "initContainers"]) {
    const [now, earlier] = [listAt(next, list), listAt(old, list)];
    if (now.length === earlier.length && now.length > 0)
      set(
        list,
        earlier.map((container, index) => withResources(container, now[index])),
      );
  }
  return result;
}

function withResources(container: JsonValue, next: JsonValue | undefined): JsonValue {
  if (!isJsonObject(container) || !isJsonObject(next) || container["name"] !== next["name"]) return container;
  const { resources: _, ...rest } = container;
  return next["resources"] === undefined ? rest : { ...rest, resources: next["resources"] };
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
