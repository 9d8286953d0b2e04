import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { duplicate, invalid, required } from "@kubewright/core/schema";
import { listAt, numberAt, objectAt, optionalNumber, partAt, textAt, textsAt } from "../../../draft.js";
import { checkNotNegative, type Errors, immutable } from "../../../validation/index.js";
import { overlapOf, readIndexes } from "./job-indexes.js";
import { unprinted } from "./job-spec.js";

/** Whether a Job has this condition with this status. */
export function hasCondition(job: JsonObject, type: string, status = "True"): boolean {
  return listAt(objectAt(job, "status"), "conditions").some(
    (one) => isJsonObject(one) && one["type"] === type && one["status"] === status,
  );
}

/** Validates the status of a Job; most rules apply only to changed fields. */
export function checkJobStatus(job: JsonObject, old: JsonObject): Errors {
  const errors: Errors = [];
  const [status, before, spec] = [objectAt(job, "status"), objectAt(old, "status"), objectAt(job, "spec")];
  const changed = (...keys: string[]): boolean =>
    keys.some((key) => !deepEqual(status[key] ?? null, before[key] ?? null));
  const turned = (...types: string[]): boolean =>
    types.some((type) => hasCondition(job, type) !== hasCondition(old, type));
  const [isComplete, isFailed] = [hasCondition(job, "Complete"), hasCondition(job, "Failed")];
  const [isFailing, isSuccessful] = [hasCondition(job, "FailureTarget"), hasCondition(job, "SuccessCriteriaMet")];
  const isFinished = isComplete || isFailed;
  const hasEnded = isFinished !== (hasCondition(old, "Complete") || hasCondition(old, "Failed"));
  const report = (isWrong: boolean, text: string): void => {
    if (isWrong) errors.push(unprinted("status.conditions", text));
  };
  checkNotNegative(status, ["active", "succeeded", "failed", "ready", "terminating"], "status", errors);
  checkUncounted(status, errors);
  report(turned("Complete", "Failed") && isComplete && isFailed, "cannot set Complete=True and Failed=true conditions");
  report(
    turned("Complete", "FailureTarget") && isComplete && isFailing,
    "cannot set Complete=True and FailureTarget=true conditions",
  );
  checkCompletionTime(status, turned("Complete") || changed("completionTime"), isComplete, errors);
  const [begun, ended] = [textAt(status, "startTime"), textAt(status, "completionTime")];
  if (changed("startTime", "completionTime") && begun !== "" && ended !== "" && ended < begun)
    errors.push(invalid("status.completionTime", ended, "must be equal to or after `startTime`"));
  report(
    (turned("Failed") || changed("failedIndexes")) && isFailed && !isFailing,
    "cannot set Failed=True condition without the FailureTarget=true condition",
  );
  report(
    turned("Complete", "SuccessCriteriaMet") && isComplete && !isSuccessful,
    "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
  );
  if ((hasEnded || changed("active")) && isFinished && numberAt(status, "active") > 0)
    errors.push(invalid("status.active", numberAt(status, "active"), "active>0 is invalid for finished job"));
  const isEmptyAndStill = spec["suspend"] === true && spec["completions"] === 0;
  if ((hasEnded || changed("startTime")) && !isEmptyAndStill && isFinished && begun === "")
    errors.push(required("status.startTime", "startTime is required for finished job"));
  const uncounted = partAt(status, "uncountedTerminatedPods") ?? {};
  const count = listAt(uncounted, "failed").length + listAt(uncounted, "succeeded").length;
  if ((hasEnded || changed("uncountedTerminatedPods")) && isFinished && count > 0)
    errors.push(invalid("status.uncountedTerminatedPods", uncounted, "must be empty for finished job"));
  checkIndexes(status, spec, changed, errors);
  if ((hasEnded || changed("terminating")) && isFinished && numberAt(status, "terminating") > 0)
    errors.push(
      invalid("status.terminating", numberAt(status, "terminating"), "terminating>0 is invalid for finished job"),
    );
  const ready = optionalNumber(status, "ready");
  if (changed("ready", "active") && ready !== undefined && ready > numberAt(status, "active"))
    errors.push(invalid("status.ready", ready, "cannot set more ready pods than active"));
  report(isSuccessful && isFailed, "cannot set SuccessCriteriaMet=True and Failed=true conditions");
  report(isSuccessful && isFailing, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  report(
    spec["successPolicy"] !== undefined && !isSuccessful && isComplete,
    "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True",
  );
  checkProgress(job, old, errors);
  return errors;
}

/** Terminal conditions stay true, and counters do not decrease. */
function checkProgress(job: JsonObject, old: JsonObject, errors: Errors): void {
  const [status, before, spec] = [objectAt(job, "status"), objectAt(old, "status"), objectAt(job, "spec")];
  for (const type of ["Failed", "Complete", "FailureTarget"])
    if (hasCondition(old, type) && !hasCondition(job, type))
      errors.push(unprinted("status.conditions", `cannot disable the terminal ${type}=True condition`));
  const mayShrink = textAt(spec, "completionMode") === "Indexed" && spec["completions"] === spec["parallelism"];
  for (const key of ["failed", ...(mayShrink ? [] : ["succeeded"])])
    if (numberAt(status, key) < numberAt(before, key))
      errors.push(invalid(`status.${key}`, numberAt(status, key), `cannot decrease the ${key} counter`));
  const [ended, earlier] = [status["completionTime"], before["completionTime"]];
  if (ended !== undefined && earlier !== undefined && ended !== earlier)
    errors.push(invalid("status.completionTime", ended, immutable));
  const isResuming = hasCondition(old, "Suspended") && hasCondition(job, "Suspended", "False");
  const begun = before["startTime"];
  if (begun !== undefined && status["startTime"] !== begun && !isResuming && spec["suspend"] !== true)
    errors.push(
      invalid("status.startTime", status["startTime"] ?? null, "field is immutable for unsuspended job once set"),
    );
  const [isSuccessful, wasSuccessful] = [job, old].map((one) => hasCondition(one, "SuccessCriteriaMet"));
  if (wasSuccessful && !isSuccessful)
    errors.push(unprinted("status.conditions", "cannot disable the SuccessCriteriaMet=True condition"));
  if (hasCondition(old, "Complete") && !wasSuccessful && isSuccessful)
    errors.push(
      unprinted("status.conditions", "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions"),
    );
}

function checkUncounted(status: JsonObject, errors: Errors): void {
  const pods = partAt(status, "uncountedTerminatedPods");
  const seen = new Set<string>();
  for (const key of ["succeeded", "failed"])
    for (const [index, uid] of textsAt(pods ?? {}, key).entries()) {
      const at = `status.uncountedTerminatedPods.${key}[${index}]`;
      if (uid === "") errors.push(invalid(at, uid, "must not be empty"));
      else if (seen.has(uid)) errors.push(duplicate(at, uid));
      seen.add(uid);
    }
}

function checkCompletionTime(status: JsonObject, isChanged: boolean, isComplete: boolean, errors: Errors): void {
  if (!isChanged) return;
  const time = status["completionTime"];
  if (time !== undefined && !isComplete)
    errors.push(
      invalid("status.completionTime", time, "cannot set completionTime when there is no Complete=True condition"),
    );
  if (time === undefined && isComplete)
    errors.push(required("status.completionTime", "completionTime is required for Complete jobs"));
}

function checkIndexes(
  status: JsonObject,
  spec: JsonObject,
  changed: (...keys: string[]) => boolean,
  errors: Errors,
): void {
  const completions = optionalNumber(spec, "completions");
  const completed = textAt(status, "completedIndexes");
  const failed = typeof status["failedIndexes"] === "string" ? status["failedIndexes"] : undefined;
  const [isDone, isLost] = [changed("completedIndexes"), changed("failedIndexes")];
  const hasLimit = spec["backoffLimitPerIndex"] !== undefined;
  const read = (key: string, text: string): void => {
    const found = readIndexes(text, completions ?? 0);
    if (found.kind === "invalid") errors.push(invalid(`status.${key}`, text, `error parsing ${key}: ${found.why}`));
  };
  if (isDone && completions !== undefined) read("completedIndexes", completed);
  if (isLost && completions !== undefined && hasLimit && failed !== undefined) read("failedIndexes", failed);
  if (isDone && completed !== "" && textAt(spec, "completionMode") !== "Indexed")
    errors.push(
      invalid(
        "status.completedIndexes",
        completed,
        "cannot set non-empty completedIndexes when non-indexed completion mode",
      ),
    );
  if (isLost && !hasLimit && failed !== undefined)
    errors.push(
      invalid("status.failedIndexes", failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null"),
    );
  if (!(isDone || isLost) || completions === undefined || failed === undefined) return;
  const both = overlapOf(completed, failed, completions);
  if (both !== undefined)
    errors.push(
      invalid("status.failedIndexes", failed, `failedIndexes and completedIndexes overlap at index: ${both}`),
    );
}
