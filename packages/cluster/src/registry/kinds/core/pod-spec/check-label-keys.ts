import type { JsonObject } from "@kubewright/core/json";
import { forbidden, invalid } from "@kubewright/core/schema";
import { objectAt, partAt, textAt, textsAt } from "../../../draft.js";
import { qualifiedName } from "../../../name-rules.js";
import { checkName, type Errors, entriesAt } from "../../../validation/index.js";

/** Validates matchLabelKeys and mismatchLabelKeys. */
export function checkLabelKeys(term: JsonObject, field: string, errors: Errors): void {
  const selector = partAt(term, "labelSelector");
  const wanted = textsAt(term, "matchLabelKeys");
  for (const kind of ["matchLabelKeys", "mismatchLabelKeys"]) {
    const keys = textsAt(term, kind);
    if (keys.length > 0 && selector === undefined)
      errors.push(forbidden(`${field}.${kind}`, "must not be specified when labelSelector is not set"));
    else for (const [index, key] of keys.entries()) checkName(key, qualifiedName, `${field}.${kind}[${index}]`, errors);
  }
  const seen = new Set(Object.keys(objectAt(selector ?? {}, "matchLabels")));
  for (const [expression] of entriesAt(selector ?? {}, "matchExpressions", field)) {
    const key = textAt(expression, "key");
    // As in kube-apiserver, the index is that of matchLabelKeys.
    if (seen.has(key) && wanted.includes(key))
      errors.push(
        invalid(`${field}[${wanted.lastIndexOf(key)}]`, key, "exists in both matchLabelKeys and labelSelector"),
      );
    seen.add(key);
  }
  const unwanted = textsAt(term, "mismatchLabelKeys");
  for (const [index, key] of wanted.entries())
    if (unwanted.includes(key))
      errors.push(
        invalid(`${field}.matchLabelKeys[${index}]`, key, "exists in both matchLabelKeys and mismatchLabelKeys"),
      );
}
