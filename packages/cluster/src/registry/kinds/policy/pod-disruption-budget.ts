import { invalid } from "@kubewright/core/schema";
import type { PodDisruptionBudget } from "kubewright/k8s/policy/v1";
import { ageColumn, countColumn, nameColumn } from "../../columns.js";
import { childDraft } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkConditions,
  checkIntOrPercent,
  checkLabelSelector,
  checkNotMoreThan100Percent,
  checkNotNegative,
  checkOptionalEnum,
  type Errors,
} from "../../validation/index.js";
import { keepOtherPart, specChanged } from "../spec-and-status.js";

const counts = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const;

/** PodDisruptionBudget. */
export const podDisruptionBudgetStrategy: Strategy<PodDisruptionBudget> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  prepareForCreate(draft) {
    draft.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  prepareForUpdate: keepOtherPart,
  canonicalize(draft) {
    const status = childDraft(draft, "status");
    for (const key of counts) status[key] ??= 0;
  },
  isNewGeneration: specChanged,
  validate(object, _old, { subresource }) {
    const { spec = {}, status = {} } = object;
    const errors: Errors = [];
    if (subresource === "status") {
      checkConditions(status, errors);
      checkNotNegative(status, counts, "status", errors);
      return errors;
    }
    if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined)
      errors.push(invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set"));
    for (const key of ["minAvailable", "maxUnavailable"] as const) {
      checkIntOrPercent(spec, key, "spec", errors);
      checkNotMoreThan100Percent(spec, key, "spec", errors);
    }
    checkLabelSelector(spec.selector, "spec.selector", errors);
    const policies = ["AlwaysAllow", "IfHealthyBudget"];
    checkOptionalEnum(spec.unhealthyPodEvictionPolicy, policies, "spec.unhealthyPodEvictionPolicy", errors);
    return errors;
  },
  table: {
    columns: [
      nameColumn,
      { name: "Min Available", type: "string", cell: (one) => String(one.spec?.minAvailable ?? "N/A") },
      {
        name: "Max Unavailable",
        type: "string",
        cell: (one) => String(one.spec?.maxUnavailable ?? "N/A"),
      },
      countColumn("Allowed Disruptions", (one) => one.status?.disruptionsAllowed),
      ageColumn,
    ],
  },
};
