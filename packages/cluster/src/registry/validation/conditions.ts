import { duplicate, invalid, notSupported, required, tooLong } from "@kubewright/core/schema";
import type { Condition } from "kubewright/k8s/meta/v1";
import type { Decoded } from "../decoded.js";
import { qualifiedName } from "../name-rules.js";
import { checkName, type Errors } from "./field-checks.js";

const reasonFormat = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonPattern = new RegExp(`^${reasonFormat}$`);
const reasonError = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonFormat}')`;

/** Validates a list of metav1.Condition. */
export function checkConditions({ conditions = [] }: Decoded<{ conditions: Condition[] }>, errors: Errors): void {
  const types = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const at = `status.conditions[${index}]`;
    const { type = "", status = "", observedGeneration = 0, reason = "", message = "" } = condition;
    if (types.has(type)) errors.push(duplicate(`${at}.type`, type));
    types.add(type);
    checkName(type, qualifiedName, `${at}.type`, errors);
    if (!["False", "True", "Unknown"].includes(status))
      errors.push(notSupported(`${at}.status`, status, ["False", "True", "Unknown"]));
    if (observedGeneration < 0)
      errors.push(invalid(`${at}.observedGeneration`, observedGeneration, "must be greater than or equal to zero"));
    if (!condition.lastTransitionTime) errors.push(required(`${at}.lastTransitionTime`));
    if (reason === "") errors.push(required(`${at}.reason`));
    else if (!reasonPattern.test(reason)) errors.push(invalid(`${at}.reason`, reason, reasonError));
    if (Buffer.byteLength(reason) > 1024) errors.push(tooLong(`${at}.reason`, 1024));
    if (Buffer.byteLength(message) > 32_768) errors.push(tooLong(`${at}.message`, 32_768));
  }
}
