import type { JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { listAt } from "../../draft.js";
import { pathSegmentName } from "../../name-rules.js";
import { type Errors, entriesAt } from "../../validation/index.js";

/** The API group of RBAC. */
export const group = "rbac.authorization.k8s.io";

/** The common strategy of RBAC kinds. */
export const shared = {
  nameRule: pathSegmentName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
};

/** Validates the rules of a Role or, if not `isNamespaced`, of a ClusterRole. */
export function checkRules(object: JsonObject, isNamespaced: boolean, errors: Errors): void {
  for (const [rule, place] of entriesAt(object, "rules", "")) {
    const at = place.slice(1);
    if (listAt(rule, "verbs").length === 0)
      errors.push(required(`${at}.verbs`, "verbs must contain at least one value"));
    const urls = rule["nonResourceURLs"] ?? null;
    if (listAt(rule, "nonResourceURLs").length > 0) {
      if (isNamespaced)
        errors.push(invalid(`${at}.nonResourceURLs`, urls, "namespaced rules cannot apply to non-resource URLs"));
      if (["apiGroups", "resources", "resourceNames"].some((key) => listAt(rule, key).length > 0))
        errors.push(
          invalid(`${at}.nonResourceURLs`, urls, "rules cannot apply to both regular resources and non-resource URLs"),
        );
      continue;
    }
    if (listAt(rule, "apiGroups").length === 0)
      errors.push(required(`${at}.apiGroups`, "resource rules must supply at least one api group"));
    if (listAt(rule, "resources").length === 0)
      errors.push(required(`${at}.resources`, "resource rules must supply at least one resource"));
  }
}
