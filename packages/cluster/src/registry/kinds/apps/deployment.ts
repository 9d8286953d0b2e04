import { deepEqual } from "@kubewright/core/json";
import { forbidden, invalid, notSupported } from "@kubewright/core/schema";
import type { Deployment, DeploymentSpec, DeploymentStrategy } from "kubewright/k8s/apps/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft, keepFrom } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkIntOrPercent,
  checkNotMoreThan100Percent,
  checkNotNegative,
  type Errors,
  intOrPercentValue,
} from "../../validation/index.js";
import { templateWarnings } from "../core/pod/pod-warnings.js";
import { applyPodTemplateDefaults } from "../core/pod-spec/index.js";
import { keepOtherPart, specChanged } from "../spec-and-status.js";
import {
  checkCounts,
  checkImmutable,
  checkRequiredSelector,
  checkSelectorMatches,
  checkWorkloadTemplate,
  hasValidSelector,
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
] as const;

/** Deployment. */
export const deploymentStrategy: Strategy<Deployment> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
    const strategy = childDraft(spec, "strategy");
    strategy.type ||= "RollingUpdate";
    if (strategy.type === "RollingUpdate") {
      const rolling = childDraft(strategy, "rollingUpdate");
      rolling.maxUnavailable ??= "25%";
      rolling.maxSurge ??= "25%";
    }
    applyPodTemplateDefaults(childDraft(spec, "template"));
  },
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    if (context.subresource === "status") keepFrom(childDraft(draft, "metadata"), old.metadata ?? {}, "labels");
  },
  isNewGeneration: (object, old) =>
    specChanged(object, old) || !deepEqual(object.metadata?.annotations, old.metadata?.annotations),
  validate(object, old, { subresource }) {
    if (subresource === "status")
      return checkCounts(object.status ?? {}, old?.status, {
        counts,
        parts: ["updatedReplicas", "readyReplicas", "availableReplicas"],
      });
    const { spec = {} } = object;
    const errors = checkSpec(spec);
    if (old) checkImmutable(spec, old.spec ?? {}, "selector", errors);
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
        cell: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      },
      { name: "Up-to-date", type: "string", cell: (object) => object.status?.updatedReplicas ?? 0 },
      {
        name: "Available",
        type: "string",
        cell: (object) => object.status?.availableReplicas ?? 0,
      },
      ageColumn,
      ...wideColumns,
    ],
  },
};

function checkSpec(spec: Decoded<DeploymentSpec>): Errors {
  const { selector = null, template = {}, progressDeadlineSeconds = 0, minReadySeconds = 0 } = spec;
  const errors: Errors = [];
  checkNotNegative(spec, ["replicas"], "spec", errors);
  checkRequiredSelector(spec, "deployment", errors);
  if (!hasValidSelector(spec)) errors.push(invalid("spec.selector", selector, "invalid label selector"));
  else {
    checkSelectorMatches(spec, errors);
    checkWorkloadTemplate(template, "ReplicaSet", errors);
  }
  checkRollout(spec.strategy ?? {}, errors);
  checkNotNegative(spec, ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"], "spec", errors);
  if (progressDeadlineSeconds <= minReadySeconds)
    errors.push(
      invalid("spec.progressDeadlineSeconds", progressDeadlineSeconds, "must be greater than minReadySeconds"),
    );
  return errors;
}

function checkRollout(strategy: Decoded<DeploymentStrategy>, errors: Errors): void {
  const { type, rollingUpdate } = strategy;
  const field = "spec.strategy.rollingUpdate";
  if (type === "Recreate") {
    if (rollingUpdate) errors.push(forbidden(field, "may not be specified when strategy `type` is 'Recreate'"));
  } else if (type === "RollingUpdate") {
    const rolling = rollingUpdate ?? {};
    checkIntOrPercent(rolling, "maxUnavailable", field, errors);
    checkIntOrPercent(rolling, "maxSurge", field, errors);
    if (intOrPercentValue(rolling, "maxUnavailable") === 0 && intOrPercentValue(rolling, "maxSurge") === 0)
      errors.push(
        invalid(`${field}.maxUnavailable`, rolling.maxUnavailable ?? null, "may not be 0 when `maxSurge` is 0"),
      );
    checkNotMoreThan100Percent(rolling, "maxUnavailable", field, errors);
  } else errors.push(notSupported("spec.strategy", strategy, ["Recreate", "RollingUpdate"]));
}
