import { invalid } from "@kubewright/core/schema";
import { ageColumn, countColumn, nameColumn } from "../../columns.js";
import { childDraft, numberAt, objectAt, setMissing } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkNotNegative, type Errors } from "../../validation/index.js";
import { templateWarnings } from "../core/pod/pod-warnings.js";
import { applyPodTemplateDefaults } from "../core/pod-spec/index.js";
import { keepOtherPart, specChanged } from "../spec-and-status.js";
import {
  checkCounts,
  checkImmutable,
  checkRequiredSelector,
  checkRunningTemplate,
  checkSelectorFits,
  isSound,
  wideColumns,
} from "./workload.js";

/** The counts of the status, which must not be negative. */
export const counts = [
  "replicas",
  "fullyLabeledReplicas",
  "readyReplicas",
  "availableReplicas",
  "observedGeneration",
  "terminatingReplicas",
];

/** The counts that must not exceed `status.replicas`. */
export const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];

/** The columns Desired, Current, Ready. */
export const countColumns = [
  countColumn("Desired", "spec", "replicas"),
  countColumn("Current", "status", "replicas"),
  countColumn("Ready", "status", "readyReplicas"),
];

/** ReplicaSet. */
export const replicaSetStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    setMissing(spec, "replicas", 1);
    applyPodTemplateDefaults(childDraft(spec, "template"));
  },
  prepareForCreate(draft) {
    draft["status"] = { replicas: 0 };
  },
  prepareForUpdate: keepOtherPart,
  isNewGeneration: specChanged,
  validate(object, old, { subresource }) {
    if (subresource === "status") return checkCounts(object, old, { counts, parts });
    const spec = objectAt(object, "spec");
    const errors: Errors = [];
    checkNotNegative(spec, ["replicas", "minReadySeconds"], "spec", errors);
    // kube-apiserver's message names a deployment here.
    checkRequiredSelector(spec, "deployment", errors);
    if (!isSound(spec)) errors.push(invalid("spec.selector", spec["selector"] ?? null, "invalid label selector"));
    else {
      checkSelectorFits(spec, errors);
      checkRunningTemplate(spec, "ReplicaSet", errors);
    }
    if (old) checkImmutable(object, old, "selector", errors);
    return errors;
  },
  warn: templateWarnings,
  selectableFields: { "status.replicas": (object) => String(numberAt(objectAt(object, "status"), "replicas")) },
  table: {
    columns: [nameColumn, ...countColumns, ageColumn, ...wideColumns],
  },
};
