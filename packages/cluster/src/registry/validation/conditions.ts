import type { JsonObject } from "@kubewright/core/json";
import { duplicate, invalid, notSupported, required, tooLong } from "@kubewright/core/schema";
import { numberAt, textAt } from "../draft.js";
import { qualifiedName } from "../name-rules.js";
import { checkName, type Errors, entriesAt } from "./field-checks.js";

const reasonFormat = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonPattern = new RegExp(`^${reasonFormat}$`);
const reasonText = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonFormat}')`;

/** Validates a list of metav1.Condition. */
export function checkConditions(status: JsonObject, errors: Errors): void {
  const types = new Set<string>();
  for (const [condition, at] of entriesAt(status, "conditions", "status")) {
    const type = textAt(condition, "type");
    if (types.has(type)) errors.push(duplicate(`${at}.type`, type));
    types.add(type);
    checkName(type, qualifiedName, `${at}.type`, errors);
    const said = textAt(condition, "status");
    if (!["False", "True", "Unknown"].includes(said))
      errors.push(notSupported(`${at}.status`, said, ["False", "True", "Unknown"]));
    const generation = numberAt(condition, "observedGeneration");
    if (generation < 0)
      errors.push(invalid(`${at}.observedGeneration`, generation, "must be greater than or equal to zero"));
    if (textAt(condition, "lastTransitionTime") === "") errors.push(required(`${at}.lastTransitionTime`));
    const reason = textAt(condition, "reason");
    if (reason === "") errors.push(required(`${at}.reason`));
    else if (!reasonPattern.test(reason)) errors.push(invalid(`${at}.reason`, reason, reasonText));
    if (Buffer.byteLength(reason) > 1024) errors.push(tooLong(`${at}.reason`, 1024));
    if (Buffer.byteLength(textAt(condition, "message")) > 32_768) errors.push(tooLong(`${at}.message`, 32_768));
  }
}
