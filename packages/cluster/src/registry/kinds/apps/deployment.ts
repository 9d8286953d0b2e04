import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, notSupported } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft, keepFrom, numberAt, objectAt, setDefault, setMissing, textAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { amountOf, checkAtMostAll, checkIntOrPercent, checkNotNegative, type Errors } from "../../validation/index.js";
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

const counts = [
  "observedGeneration",
  "replicas",
  "updatedReplicas",
  "readyReplicas",
  "availableReplicas",
  "unavailableReplicas",
  "terminatingReplicas",
  "collisionCount",
];

/** Deployment. */
export const deploymentStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    setMissing(spec, "replicas", 1);
    setMissing(spec, "revisionHistoryLimit", 10);
    setMissing(spec, "progressDeadlineSeconds", 600);
    const strategy = childDraft(spec, "strategy");
    setDefault(strategy, "type", "RollingUpdate");
    if (strategy["type"] === "RollingUpdate") {
      const rolling = childDraft(strategy, "rollingUpdate");
      setMissing(rolling, "maxUnavailable", "25%");
      setMissing(rolling, "maxSurge", "25%");
    }
    applyPodTemplateDefaults(childDraft(spec, "template"));
  },
  prepareForCreate(draft) {
    draft["status"] = {};
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    if (context.subresource === "status") keepFrom(childDraft(draft, "metadata"), objectAt(old, "metadata"), "labels");
  },
  isNewGeneration: (object, old) =>
    specChanged(object, old) ||
    !deepEqual(objectAt(object, "metadata")["annotations"], objectAt(old, "metadata")["annotations"]),
  validate(object, old, { subresource }) {
    if (subresource === "status")
      return checkCounts(object, old, { counts, parts: ["updatedReplicas", "readyReplicas", "availableReplicas"] });
    const errors = checkSpec(objectAt(object, "spec"));
    if (old) checkImmutable(object, old, "selector", errors);
    return errors;
  },
  warn: templateWarnings,
  fields: {
    resetOnStatus: [["metadata", "labels"]],
  },
  table: {
    columns: [
      nameColumn,
      {
        name: "Ready",
        type: "string",
        cell: (object) =>
          `${numberAt(objectAt(object, "status"), "readyReplicas")}/${numberAt(objectAt(object, "spec"), "replicas")}`,
      },
      { name: "Up-to-date", type: "string", cell: (object) => numberAt(objectAt(object, "status"), "updatedReplicas") },
      {
        name: "Available",
        type: "string",
        cell: (object) => numberAt(objectAt(object, "status"), "availableReplicas"),
      },
      ageColumn,
      ...wideColumns,
    ],
  },
};

function checkSpec(spec: JsonObject): Errors {
  const errors: Errors = [];
  checkNotNegative(spec, ["replicas"], "spec", errors);
  checkRequiredSelector(spec, "deployment", errors);
  if (!isSound(spec)) errors.push(invalid("spec.selector", spec["selector"] ?? null, "invalid label selector"));
  else {
    checkSelectorFits(spec, errors);
    checkRunningTemplate(spec, "ReplicaSet", errors);
  }
  checkRollout(objectAt(spec, "strategy"), errors);
  checkNotNegative(spec, ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"], "spec", errors);
  if (numberAt(spec, "progressDeadlineSeconds") <= numberAt(spec, "minReadySeconds"))
    errors.push(
      invalid(
        "spec.progressDeadlineSeconds",
        numberAt(spec, "progressDeadlineSeconds"),
        "must be greater than minReadySeconds",
      ),
    );
  return errors;
}

function checkRollout(strategy: JsonObject, errors: Errors): void {
  const type = textAt(strategy, "type");
  const field = "spec.strategy.rollingUpdate";
  if (type === "Recreate") {
    if (strategy["rollingUpdate"] !== undefined)
      errors.push(forbidden(field, "may not be specified when strategy `type` is 'Recreate'"));
  } else if (type === "RollingUpdate") {
    const rolling = objectAt(strategy, "rollingUpdate");
    checkIntOrPercent(rolling, "maxUnavailable", field, errors);
    checkIntOrPercent(rolling, "maxSurge", field, errors);
    if (amountOf(rolling, "maxUnavailable") === 0 && amountOf(rolling, "maxSurge") === 0)
      errors.push(
        invalid(`${field}.maxUnavailable`, rolling["maxUnavailable"] ?? null, "may not be 0 when `maxSurge` is 0"),
      );
    checkAtMostAll(rolling, "maxUnavailable", field, errors);
  } else errors.push(notSupported("spec.strategy", strategy, ["Recreate", "RollingUpdate"]));
}
