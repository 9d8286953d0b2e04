import { forbidden, invalid } from "@kubewright/core/schema";
import type { PodAffinityTerm } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { qualifiedName } from "../../../name-rules.js";
import { checkName, type Errors } from "../../../validation/index.js";

/** Validates matchLabelKeys and mismatchLabelKeys. */
export function checkLabelKeys(
  term: Pick<Decoded<PodAffinityTerm>, "labelSelector" | "matchLabelKeys" | "mismatchLabelKeys">,
  field: string,
  errors: Errors,
): void {
  const { labelSelector: selector, matchLabelKeys: matched = [], mismatchLabelKeys: mismatched = [] } = term;
  for (const kind of ["matchLabelKeys", "mismatchLabelKeys"] as const) {
    const keys = term[kind] ?? [];
    if (keys.length > 0 && selector === undefined)
      errors.push(forbidden(`${field}.${kind}`, "must not be specified when labelSelector is not set"));
    else for (const [index, key] of keys.entries()) checkName(key, qualifiedName, `${field}.${kind}[${index}]`, errors);
  }
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key = "" } of selector?.matchExpressions ?? []) {
    // As in kube-apiserver, the index is that of matchLabelKeys.
    if (seen.has(key) && matched.includes(key))
      errors.push(
        invalid(`${field}[${matched.lastIndexOf(key)}]`, key, "exists in both matchLabelKeys and labelSelector"),
      );
    seen.add(key);
  }
  for (const [index, key] of matched.entries())
    if (mismatched.includes(key))
      errors.push(
        invalid(`${field}.matchLabelKeys[${index}]`, key, "exists in both matchLabelKeys and mismatchLabelKeys"),
      );
}
