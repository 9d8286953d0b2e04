import { invalid, required } from "@kubewright/core/schema";
import type { ClusterRole } from "kubewright/k8s/rbac/v1";
import { createdColumn, nameColumn } from "../../columns.js";
import type { Strategy } from "../../strategy.js";
import { checkLabelSelector, type Errors, entriesAt } from "../../validation/index.js";
import { checkRoleGrant } from "./escalation.js";
import { checkRules, shared } from "./policy-rules.js";

/** ClusterRole. */
export const clusterRoleStrategy: Strategy<ClusterRole> = {
  ...shared,
  authorize(object, old, context) {
    checkRoleGrant("clusterroles", object, { old, context });
  },
  validate(object) {
    const errors: Errors = [];
    checkRules(object, false, errors);
    const { aggregationRule } = object;
    if (!aggregationRule) return errors;
    const field = "aggregationRule.clusterRoleSelectors";
    if (!aggregationRule.clusterRoleSelectors)
      errors.push(required(field, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
    for (const [selector, at] of entriesAt(aggregationRule, "clusterRoleSelectors", "aggregationRule")) {
      const before = errors.length;
      checkLabelSelector(selector, at, errors);
      if (errors.length > before) errors.push(invalid(at, null, "invalid label selector."));
    }
    return errors;
  },
  table: {
    columns: [nameColumn, createdColumn],
  },
};
