import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { forbidden, invalid, required } from "@kubewright/core/schema";
import { labelSelectorFrom } from "@kubewright/core/selector";
import type { LabelSelector } from "kubewright/k8s/meta/v1";
import type { Decoded } from "../decoded.js";
import { labelValue, qualifiedName } from "../name-rules.js";
import { checkLabels } from "../object-meta.js";
import { checkName, type Errors, entriesAt } from "./field-checks.js";

/** Validates an optional label selector. */
export function checkLabelSelector(selector: JsonValue | undefined, field: string, errors: Errors): void {
  if (!isJsonObject(selector)) return;
  const decoded: Decoded<LabelSelector> = selector;
  errors.push(...checkLabels(decoded.matchLabels ?? {}, `${field}.matchLabels`));
  for (const [requirement, at] of entriesAt(decoded, "matchExpressions", field)) {
    const { key = "", operator = "", values = [] } = requirement;
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0)
        errors.push(required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length > 0)
        errors.push(forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else errors.push(invalid(`${at}.operator`, operator, "not a valid selector operator"));
    checkName(key, qualifiedName, `${at}.key`, errors);
    for (const [index, value] of values.entries()) checkName(value, labelValue, `${at}.values[${index}]`, errors);
  }
}

/** Whether a selector is empty, so that it matches everything. */
export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: Decoded<LabelSelector>): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

/** Whether a selector matches labels; an absent or invalid selector matches nothing. */
export function selects(selector: JsonValue | undefined, labels: JsonObject): boolean {
  if (!isJsonObject(selector)) return false;
  try {
    return labelSelectorFrom(selector).matches(labels as Readonly<Record<string, string>>);
  } catch {
    return false;
  }
}

/** A selector as `kubectl get -o wide` prints it. */
export function printSelector(selector: JsonValue | undefined): string {
  if (!isJsonObject(selector)) return "<none>";
  try {
    return labelSelectorFrom(selector).toString() || "<none>";
  } catch {
    return "<error>";
  }
}

/** Labels as printer columns show them: `a=b,c=d`, sorted by key; `<none>` if there are none. */
export function printLabels(labels: JsonObject): string {
  const printed = Object.keys(labels)
    .sort()
    .map((key) => `${key}=${String(labels[key])}`);
  return printed.length === 0 ? "<none>" : printed.join(",");
}
