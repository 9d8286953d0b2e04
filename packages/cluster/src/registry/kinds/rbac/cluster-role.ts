import { invalid, required } from "@kubewright/core/schema";
import { createdColumn, nameColumn } from "../../columns.js";
import { listAt, partAt } from "../../draft.js";
import type { Strategy } from "../../strategy.js";
import { checkLabelSelector, type Errors, entriesAt } from "../../validation/index.js";
import { checkRules, shared } from "./policy-rules.js";

/** ClusterRole. */
export const clusterRoleStrategy: Strategy = {
  ...shared,
  validate(object) {
    const errors: Errors = [];
    checkRules(object, false, errors);
    const aggregation = partAt(object, "aggregationRule");
    if (!aggregation) return errors;
    const field = "aggregationRule.clusterRoleSelectors";
    if (listAt(aggregation, "clusterRoleSelectors").length === 0)
      errors.push(required(field, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
    for (const [selector, at] of entriesAt(aggregation, "clusterRoleSelectors", "aggregationRule")) {
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
