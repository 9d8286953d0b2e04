import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { duplicate, invalid, notSupported, required, tooLong, tooMany } from "@kubewright/core/schema";
import {
  childDraft,
  type Draft,
  draftsIn,
  isDraft,
  listAt,
  numberAt,
  objectAt,
  optionalNumber,
  partAt,
  setDefault,
  textAt,
} from "../../../draft.js";
import { qualifiedName } from "../../../name-rules.js";
import { checkDomainPath, checkName, checkNotNegative, type Errors, entriesAt } from "../../../validation/index.js";
import { podWarnings } from "../../core/pod/pod-warnings.js";
import { applyPodTemplateDefaults, checkPodTemplate } from "../../core/pod-spec/index.js";
import { readIndexes } from "./job-indexes.js";

/** Sets the defaults of a JobSpec. */
export function applyJobSpecDefaults(spec: Draft): void {
  applyPodTemplateDefaults(childDraft(spec, "template"));
  const policy = spec["podFailurePolicy"];
  if (!isDraft(policy)) return;
  for (const rule of draftsIn(policy["rules"]))
    for (const pattern of draftsIn(rule["onPodConditions"])) setDefault(pattern, "status", "True");
}

/** An empty list of rules is stored as null. */
export function finishJobSpec(spec: Draft): void {
  const policy = spec["podFailurePolicy"];
  if (isDraft(policy) && listAt(policy, "rules").length === 0) childDraft(spec, "podFailurePolicy")["rules"] = null;
}

const indexed = "requires indexed completion mode";
const actions = ["Count", "FailIndex", "FailJob", "Ignore"];

/** Validates a JobSpec without its selector. */
export function checkJobSpec(spec: JsonObject, field: string, errors: Errors): void {
  const numbers = [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
  ];
  checkNotNegative(spec, numbers, field, errors);
  if (spec["maxFailedIndexes"] !== undefined && spec["backoffLimitPerIndex"] === undefined)
    errors.push(required(`${field}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  checkManager(spec, `${field}.managedBy`, errors);
  checkCompletion(spec, field, errors);
  const failure = partAt(spec, "podFailurePolicy");
  if (failure !== undefined) checkFailurePolicy(failure, spec, `${field}.podFailurePolicy`, errors);
  checkSuccessPolicy(spec, field, errors);
  const replacement = spec["podReplacementPolicy"];
  const allowed = failure === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  if (typeof replacement === "string" && !allowed.includes(replacement))
    errors.push(notSupported(`${field}.podReplacementPolicy`, replacement, allowed));
  checkPodTemplate(objectAt(spec, "template"), `${field}.template`, errors);
  const restart = textAt(objectAt(objectAt(spec, "template"), "spec"), "restartPolicy");
  const at = `${field}.template.spec.restartPolicy`;
  if (restart === "Always" || restart === "") errors.push(required(at, 'valid values: "OnFailure", "Never"'));
  else if (restart !== "OnFailure" && restart !== "Never")
    errors.push(notSupported(at, restart, ["OnFailure", "Never"]));
  else if (failure !== undefined && restart !== "Never")
    errors.push(invalid(at, restart, 'only "Never" is supported when podFailurePolicy is specified'));
}

function checkManager(spec: JsonObject, field: string, errors: Errors): void {
  const manager = spec["managedBy"];
  if (typeof manager !== "string") return;
  checkDomainPath(manager, field, errors);
  if (manager.length > 63) errors.push(tooLong(field, 63));
}

/** Warnings about the spec of a job. */
export function jobSpecWarnings(spec: JsonObject, field: string): string[] {
  const isHuge =
    textAt(spec, "completionMode") === "Indexed" &&
    numberAt(spec, "completions") > 100_000 &&
    numberAt(spec, "parallelism") > 10_000;
  const text = `${field}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`;
  return [...(isHuge ? [text] : []), ...podWarnings(objectAt(spec, "template"), `${field}.template`)];
}

function checkCompletion(spec: JsonObject, field: string, errors: Errors): void {
  const mode = spec["completionMode"];
  if (typeof mode === "string" && mode !== "NonIndexed" && mode !== "Indexed")
    errors.push(notSupported(`${field}.completionMode`, mode, ["NonIndexed", "Indexed"]));
  const completions = optionalNumber(spec, "completions");
  const failed = optionalNumber(spec, "maxFailedIndexes");
  if (mode === "Indexed") {
    if (completions === undefined) errors.push(required(`${field}.completions`, "when completion mode is Indexed"));
    if (numberAt(spec, "parallelism") > 100_000)
      errors.push(
        invalid(
          `${field}.parallelism`,
          numberAt(spec, "parallelism"),
          "must be less than or equal to 100000 when completion mode is Indexed",
        ),
      );
    if (completions !== undefined && failed !== undefined && failed > completions)
      errors.push(invalid(`${field}.maxFailedIndexes`, failed, "must be less than or equal to completions"));
    if (failed !== undefined && failed > 100_000)
      errors.push(invalid(`${field}.maxFailedIndexes`, failed, "must be less than or equal to 100000"));
    if ((completions ?? 0) > 100_000 && spec["backoffLimitPerIndex"] !== undefined)
      checkManyIndexes(spec, field, errors);
  }
  if (mode !== undefined && mode !== "NonIndexed") return;
  for (const key of ["backoffLimitPerIndex", "maxFailedIndexes"]) {
    const value = optionalNumber(spec, key);
    if (value !== undefined) errors.push(invalid(`${field}.${key}`, value, indexed));
  }
}

function checkManyIndexes(spec: JsonObject, field: string, errors: Errors): void {
  const text =
    "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index";
  const failed = optionalNumber(spec, "maxFailedIndexes");
  if (failed === undefined)
    errors.push(required(`${field}.maxFailedIndexes`, "must be specified when completions is above 100000"));
  if (numberAt(spec, "parallelism") > 10_000)
    errors.push(invalid(`${field}.parallelism`, numberAt(spec, "parallelism"), text));
  if (failed !== undefined && failed > 10_000) errors.push(invalid(`${field}.maxFailedIndexes`, failed, text));
}

function checkFailurePolicy(policy: JsonObject, spec: JsonObject, field: string, errors: Errors): void {
  const rules = listAt(policy, "rules");
  if (rules.length > 20) errors.push(tooMany(`${field}.rules`, rules.length, 20));
  const pod = objectAt(objectAt(spec, "template"), "spec");
  const names = ["containers", "initContainers"].flatMap((list) =>
    listAt(pod, list).map((one) => (isJsonObject(one) ? textAt(one, "name") : "")),
  );
  for (const [rule, at] of entriesAt(policy, "rules", field)) {
    const action = textAt(rule, "action");
    if (action === "") errors.push(required(`${at}.action`));
    else if (action === "FailIndex") {
      if (spec["backoffLimitPerIndex"] === undefined)
        errors.push(invalid(`${at}.action`, action, "requires the backoffLimitPerIndex to be set"));
    } else if (!actions.includes(action)) errors.push(notSupported(`${at}.action`, action, actions));
    const codes = partAt(rule, "onExitCodes");
    if (codes !== undefined) checkExitCodes(codes, names, `${at}.onExitCodes`, errors);
    const patterns = listAt(rule, "onPodConditions");
    if (patterns.length > 20) errors.push(tooMany(`${at}.onPodConditions`, patterns.length, 20));
    for (const [pattern, place] of entriesAt(rule, "onPodConditions", at)) {
      checkName(textAt(pattern, "type"), qualifiedName, `${place}.type`, errors);
      const status = textAt(pattern, "status");
      if (status === "") errors.push(required(`${place}.status`));
      else if (!["False", "True", "Unknown"].includes(status))
        errors.push(notSupported(`${place}.status`, status, ["False", "True", "Unknown"]));
    }
    if (codes !== undefined && patterns.length > 0)
      errors.push(unprinted(at, "specifying both OnExitCodes and OnPodConditions is not supported"));
    if (codes === undefined && patterns.length === 0)
      errors.push(unprinted(at, "specifying one of OnExitCodes and OnPodConditions is required"));
  }
}

/** An Invalid error without the value. */
export function unprinted(field: string, detail: string): Errors[number] {
  return { type: "Invalid", field, detail };
}

function checkExitCodes(codes: JsonObject, names: readonly string[], field: string, errors: Errors): void {
  const operator = textAt(codes, "operator");
  if (operator === "") errors.push(required(`${field}.operator`));
  else if (operator !== "In" && operator !== "NotIn")
    errors.push(notSupported(`${field}.operator`, operator, ["In", "NotIn"]));
  const name = codes["containerName"];
  if (typeof name === "string" && !names.includes(name))
    errors.push(
      invalid(
        `${field}.containerName`,
        name,
        "must be one of the container or initContainer names in the pod template",
      ),
    );
  const values = listAt(codes, "values").filter((value) => typeof value === "number");
  if (values.length === 0)
    errors.push(invalid(`${field}.values`, codes["values"] ?? null, "at least one value is required"));
  else if (values.length > 255) errors.push(tooMany(`${field}.values`, values.length, 255));
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    const at = `${field}.values[${index}]`;
    if (operator === "In" && value === 0) errors.push(invalid(at, value, "must not be 0 for the In operator"));
    if (seen.has(value)) errors.push(duplicate(at, value));
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value))
    errors.push(invalid(`${field}.values`, values, "must be ordered"));
}

function checkSuccessPolicy(spec: JsonObject, field: string, errors: Errors): void {
  const policy = partAt(spec, "successPolicy");
  if (policy === undefined) return;
  const at = `${field}.successPolicy`;
  if (textAt(spec, "completionMode") !== "Indexed") return void errors.push(invalid(at, policy, indexed));
  const rules = listAt(policy, "rules");
  if (rules.length === 0)
    errors.push(required(`${at}.rules`, "at least one rules must be specified when the successPolicy is specified"));
  if (rules.length > 20) errors.push(tooMany(`${at}.rules`, rules.length, 20));
  for (const [rule, place] of entriesAt(policy, "rules", at)) {
    const count = optionalNumber(rule, "succeededCount");
    if (count === undefined && rule["succeededIndexes"] === undefined)
      errors.push(required(place, "at least one of succeededCount or succeededIndexes must be specified"));
    const completions = numberAt(spec, "completions");
    const text = rule["succeededIndexes"];
    const read = typeof text === "string" ? readIndexes(text, completions) : undefined;
    if (typeof text === "string" && text.length > 65_536) errors.push(tooLong(`${place}.succeededIndexes`, 65_536));
    if (read?.kind === "invalid")
      errors.push(invalid(`${place}.succeededIndexes`, text ?? null, `error parsing succeededIndexes: ${read.why}`));
    if (count === undefined) continue;
    const countField = `${place}.succeededCount`;
    checkNotNegative(rule, ["succeededCount"], place, errors);
    if (count > completions)
      errors.push(
        invalid(
          countField,
          count,
          `must be less than or equal to ${completions} (the number of specified completions)`,
        ),
      );
    const indexes = read?.kind === "read" ? read.count : 0;
    if (read !== undefined && count > indexes)
      errors.push(
        invalid(
          countField,
          count,
          `must be less than or equal to ${indexes} (the number of indexes in the specified succeededIndexes field)`,
        ),
      );
  }
}
