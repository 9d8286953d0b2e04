import { invalid, required } from "@kubewright/core/schema";
import type { Role } from "kubewright/k8s/rbac/v1";
import type { Decoded } from "../../decoded.js";
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
export function checkRules(role: Pick<Decoded<Role>, "rules">, isNamespaced: boolean, errors: Errors): void {
  for (const [rule, at] of entriesAt(role, "rules")) {
    if (!rule.verbs?.length) errors.push(required(`${at}.verbs`, "verbs must contain at least one value"));
    const urls = rule.nonResourceURLs;
    if (urls) {
      if (isNamespaced)
        errors.push(invalid(`${at}.nonResourceURLs`, urls, "namespaced rules cannot apply to non-resource URLs"));
      if (rule.apiGroups || rule.resources || rule.resourceNames)
        errors.push(
          invalid(`${at}.nonResourceURLs`, urls, "rules cannot apply to both regular resources and non-resource URLs"),
        );
      continue;
    }
    if (!rule.apiGroups) errors.push(required(`${at}.apiGroups`, "resource rules must supply at least one api group"));
    if (!rule.resources) errors.push(required(`${at}.resources`, "resource rules must supply at least one resource"));
  }
}
