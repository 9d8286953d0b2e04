import { duplicate, invalid, notSupported, required, tooLong, tooMany } from "@kubewright/core/schema";
import type {
  JobSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from "kubewright/k8s/batch/v1";
import type { Decoded, Drafted } from "../../../decoded.js";
import { childDraft, type Draft } from "../../../draft.js";
import { qualifiedName } from "../../../name-rules.js";
import {
  checkDomainPath,
  checkEnum,
  checkName,
  checkNotNegative,
  type Errors,
  entriesAt,
} from "../../../validation/index.js";
import { podWarnings } from "../../core/pod/pod-warnings.js";
import { applyPodTemplateDefaults, checkPodTemplate } from "../../core/pod-spec/index.js";
import { parseIndexes } from "./job-indexes.js";

/** Sets the defaults of a JobSpec. */
export function applyJobSpecDefaults(spec: Drafted<JobSpec>): void {
  applyPodTemplateDefaults(childDraft(spec, "template"));
  for (const rule of spec.podFailurePolicy?.rules ?? [])
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= "True";
}

/** Stores an empty list of rules as null, which the type does not allow. */
export function canonicalizeJobSpec({ podFailurePolicy }: Drafted<JobSpec>): void {
  if (!podFailurePolicy || (podFailurePolicy.rules ?? []).length > 0) return;
  const stored: Draft = podFailurePolicy;
  stored["rules"] = null;
}

const indexed = "requires indexed completion mode";
const actions: readonly string[] = ["Count", "FailIndex", "FailJob", "Ignore"];

/** Validates a JobSpec without its selector. */
export function checkJobSpec(spec: Decoded<JobSpec>, field: string, errors: Errors): void {
  const numbers = [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
  ] as const;
  checkNotNegative(spec, numbers, field, errors);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined)
    errors.push(required(`${field}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  checkManagedBy(spec.managedBy, `${field}.managedBy`, errors);
  checkCompletion(spec, field, errors);
  const { podFailurePolicy: failure, podReplacementPolicy: replacement, template = {} } = spec;
  if (failure) checkFailurePolicy(failure, spec, `${field}.podFailurePolicy`, errors);
  checkSuccessPolicy(spec, field, errors);
  const allowed = failure ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  if (replacement !== undefined && !allowed.includes(replacement))
    errors.push(notSupported(`${field}.podReplacementPolicy`, replacement, allowed));
  checkPodTemplate(template, `${field}.template`, errors);
  const restart: string = template.spec?.restartPolicy ?? "";
  const at = `${field}.template.spec.restartPolicy`;
  if (restart === "Always" || restart === "") errors.push(required(at, 'valid values: "OnFailure", "Never"'));
  else if (restart !== "OnFailure" && restart !== "Never")
    errors.push(notSupported(at, restart, ["OnFailure", "Never"]));
  else if (failure && restart !== "Never")
    errors.push(invalid(at, restart, 'only "Never" is supported when podFailurePolicy is specified'));
}

function checkManagedBy(manager: string | undefined, field: string, errors: Errors): void {
  if (manager === undefined) return;
  checkDomainPath(manager, field, errors);
  if (manager.length > 63) errors.push(tooLong(field, 63));
}

/** Warnings about a JobSpec. */
export function jobSpecWarnings(spec: Decoded<JobSpec>, field: string): string[] {
  const { completionMode, completions = 0, parallelism = 0, template = {} } = spec;
  const isHuge = completionMode === "Indexed" && completions > 100_000 && parallelism > 10_000;
  const message = `${field}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`;
  return [...(isHuge ? [message] : []), ...podWarnings(template, `${field}.template`)];
}

function checkCompletion(spec: Decoded<JobSpec>, field: string, errors: Errors): void {
  const { completionMode: mode, completions, maxFailedIndexes: failed, parallelism = 0 } = spec;
  if (mode !== undefined && mode !== "NonIndexed" && mode !== "Indexed")
    errors.push(notSupported(`${field}.completionMode`, mode, ["NonIndexed", "Indexed"]));
  if (mode === "Indexed") {
    if (completions === undefined) errors.push(required(`${field}.completions`, "when completion mode is Indexed"));
    if (parallelism > 100_000)
      errors.push(
        invalid(
          `${field}.parallelism`,
          parallelism,
          "must be less than or equal to 100000 when completion mode is Indexed",
        ),
      );
    if (completions !== undefined && failed !== undefined && failed > completions)
      errors.push(invalid(`${field}.maxFailedIndexes`, failed, "must be less than or equal to completions"));
    if (failed !== undefined && failed > 100_000)
      errors.push(invalid(`${field}.maxFailedIndexes`, failed, "must be less than or equal to 100000"));
    if ((completions ?? 0) > 100_000 && spec.backoffLimitPerIndex !== undefined) checkManyIndexes(spec, field, errors);
  }
  if (mode !== undefined && mode !== "NonIndexed") return;
  for (const key of ["backoffLimitPerIndex", "maxFailedIndexes"] as const) {
    const value = spec[key];
    if (value !== undefined) errors.push(invalid(`${field}.${key}`, value, indexed));
  }
}

function checkManyIndexes(spec: Decoded<JobSpec>, field: string, errors: Errors): void {
  const { maxFailedIndexes: failed, parallelism = 0 } = spec;
  const text =
    "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index";
  if (failed === undefined)
    errors.push(required(`${field}.maxFailedIndexes`, "must be specified when completions is above 100000"));
  if (parallelism > 10_000) errors.push(invalid(`${field}.parallelism`, parallelism, text));
  if (failed !== undefined && failed > 10_000) errors.push(invalid(`${field}.maxFailedIndexes`, failed, text));
}

function checkFailurePolicy(
  policy: Decoded<PodFailurePolicy>,
  spec: Decoded<JobSpec>,
  field: string,
  errors: Errors,
): void {
  const count = policy.rules?.length ?? 0;
  if (count > 20) errors.push(tooMany(`${field}.rules`, count, 20));
  const { containers, initContainers } = spec.template?.spec ?? {};
  const names = [...(containers ?? []), ...(initContainers ?? [])].map(({ name = "" }) => name);
  for (const [rule, at] of entriesAt(policy, "rules", field)) {
    checkAction(rule.action ?? "", spec.backoffLimitPerIndex !== undefined, `${at}.action`, errors);
    if (rule.onExitCodes) checkExitCodes(rule.onExitCodes, names, `${at}.onExitCodes`, errors);
    checkPodConditions(rule, at, errors);
    const hasPatterns = (rule.onPodConditions ?? []).length > 0;
    if (rule.onExitCodes && hasPatterns)
      errors.push(invalidWithoutValue(at, "specifying both OnExitCodes and OnPodConditions is not supported"));
    if (!rule.onExitCodes && !hasPatterns)
      errors.push(invalidWithoutValue(at, "specifying one of OnExitCodes and OnPodConditions is required"));
  }
}

function checkAction(action: string, hasLimitPerIndex: boolean, field: string, errors: Errors): void {
  if (action === "") errors.push(required(field));
  else if (!actions.includes(action)) errors.push(notSupported(field, action, actions));
  else if (action === "FailIndex" && !hasLimitPerIndex)
    errors.push(invalid(field, action, "requires the backoffLimitPerIndex to be set"));
}

function checkPodConditions(rule: Decoded<PodFailurePolicyRule>, field: string, errors: Errors): void {
  const count = rule.onPodConditions?.length ?? 0;
  if (count > 20) errors.push(tooMany(`${field}.onPodConditions`, count, 20));
  for (const [{ type = "", status = "" }, at] of entriesAt(rule, "onPodConditions", field)) {
    checkName(type, qualifiedName, `${at}.type`, errors);
    checkEnum(status, ["False", "True", "Unknown"], `${at}.status`, errors);
  }
}

/** An `Invalid` error that does not print the value. */
export function invalidWithoutValue(field: string, detail: string): Errors[number] {
  return { type: "Invalid", field, detail };
}

function checkExitCodes(
  codes: Decoded<PodFailurePolicyOnExitCodesRequirement>,
  names: readonly string[],
  field: string,
  errors: Errors,
): void {
  const { operator = "", containerName: name } = codes;
  checkEnum(operator, ["In", "NotIn"], `${field}.operator`, errors);
  if (name !== undefined && !names.includes(name))
    errors.push(
      invalid(
        `${field}.containerName`,
        name,
        "must be one of the container or initContainer names in the pod template",
      ),
    );
  // The decoder leaves nulls in lists of numbers.
  const values = (codes.values ?? []).filter((value) => typeof value === "number");
  if (values.length === 0)
    errors.push(invalid(`${field}.values`, codes.values ?? null, "at least one value is required"));
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

function checkSuccessPolicy(spec: Decoded<JobSpec>, field: string, errors: Errors): void {
  const { successPolicy: policy, completionMode, completions = 0 } = spec;
  if (!policy) return;
  const at = `${field}.successPolicy`;
  if (completionMode !== "Indexed") return void errors.push(invalid(at, policy, indexed));
  const rules = policy.rules ?? [];
  if (rules.length === 0)
    errors.push(required(`${at}.rules`, "at least one rules must be specified when the successPolicy is specified"));
  if (rules.length > 20) errors.push(tooMany(`${at}.rules`, rules.length, 20));
  for (const [rule, place] of entriesAt(policy, "rules", at)) {
    const { succeededCount: count, succeededIndexes: text } = rule;
    if (count === undefined && text === undefined)
      errors.push(required(place, "at least one of succeededCount or succeededIndexes must be specified"));
    const parsed = text === undefined ? undefined : parseIndexes(text, completions);
    if (text !== undefined && text.length > 65_536) errors.push(tooLong(`${place}.succeededIndexes`, 65_536));
    if (parsed?.kind === "invalid")
      errors.push(invalid(`${place}.succeededIndexes`, text ?? null, `error parsing succeededIndexes: ${parsed.why}`));
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
    const indexes = parsed?.kind === "valid" ? parsed.count : 0;
    if (parsed !== undefined && count > indexes)
      errors.push(
        invalid(
          countField,
          count,
          `must be less than or equal to ${indexes} (the number of indexes in the specified succeededIndexes field)`,
        ),
      );
  }
}
