import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, countColumn, nameColumn } from "../../columns.js";
import { childDraft, type Draft, metadataOf, objectAt, setDefault, setMissing, textAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  amountOf,
  checkAtMostAll,
  checkIntOrPercent,
  checkLabelSelector,
  checkNotNegative,
  type Errors,
  isEmptySelector,
  printLabels,
} from "../../validation/index.js";
import { templateWarnings } from "../core/pod/pod-warnings.js";
import { applyPodTemplateDefaults } from "../core/pod-spec/index.js";
import { keepOtherPart, specChanged } from "../spec-and-status.js";
import {
  checkCounts,
  checkImmutable,
  checkRunningTemplate,
  checkSelectorFits,
  isSound,
  templateOf,
  wideColumns,
} from "./workload.js";

/** The templateGeneration of older API versions, kept as an annotation. */
const generationAnnotation = "deprecated.daemonset.template.generation";

const counts = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

/** DaemonSet. */
export const daemonSetStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    const strategy = childDraft(spec, "updateStrategy");
    setDefault(strategy, "type", "RollingUpdate");
    if (strategy["type"] === "RollingUpdate") {
      const rolling = childDraft(strategy, "rollingUpdate");
      setMissing(rolling, "maxUnavailable", 1);
      setMissing(rolling, "maxSurge", 0);
    } else if (isJsonObject(strategy["rollingUpdate"])) {
      const rolling = childDraft(strategy, "rollingUpdate");
      for (const key of ["maxUnavailable", "maxSurge"]) setMissing(rolling, key, 0);
    }
    setMissing(spec, "revisionHistoryLimit", 10);
    // The manager that writes the object owns this annotation.
    if (textAt(objectAt(metadataOf(draft), "annotations"), generationAnnotation) === "")
      setTemplateGeneration(draft, 0);
    applyPodTemplateDefaults(childDraft(spec, "template"));
  },
  prepareForCreate(draft) {
    draft["status"] = {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    };
    setTemplateGeneration(draft, Math.max(1, templateGeneration(draft)));
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    const before = templateGeneration(old);
    const isNew = !deepEqual(templateOf(draft), templateOf(old));
    setTemplateGeneration(draft, isNew ? before + 1 : before);
  },
  isNewGeneration: specChanged,
  validate(object, old, { subresource }) {
    if (subresource === "status") return checkCounts(object, old, { counts, parts: [] });
    const errors: Errors = [];
    if (old) checkImmutable(object, old, "selector", errors);
    checkSpec(objectAt(object, "spec"), errors);
    return errors;
  },
  warn: (object, old) =>
    old && templateGeneration(object) === templateGeneration(old) ? [] : templateWarnings(object, old),
  table: {
    columns: [
      nameColumn,
      countColumn("Desired", "status", "desiredNumberScheduled"),
      countColumn("Current", "status", "currentNumberScheduled"),
      countColumn("Ready", "status", "numberReady"),
      countColumn("Up-to-date", "status", "updatedNumberScheduled"),
      countColumn("Available", "status", "numberAvailable"),
      {
        name: "Node Selector",
        type: "string",
        cell: (object) => printLabels(objectAt(objectAt(templateOf(object), "spec"), "nodeSelector")),
      },
      ageColumn,
      ...wideColumns,
    ],
  },
};

function templateGeneration(object: JsonObject): number {
  const value = Number(textAt(objectAt(metadataOf(object), "annotations"), generationAnnotation));
  return Number.isInteger(value) ? value : 0;
}

function setTemplateGeneration(draft: Draft, generation: number): void {
  const metadata = childDraft(draft, "metadata");
  const annotations = objectAt(metadata, "annotations") as Draft;
  if (annotations[generationAnnotation] === String(generation)) return;
  metadata["annotations"] = { ...annotations, [generationAnnotation]: String(generation) };
}

function checkSpec(spec: JsonObject, errors: Errors): void {
  const selector = spec["selector"];
  checkLabelSelector(selector, "spec.selector", errors);
  if (isSound(spec) && !(isJsonObject(selector) && isEmptySelector(selector))) checkSelectorFits(spec, errors);
  if (isJsonObject(selector) && isEmptySelector(selector))
    errors.push(invalid("spec.selector", selector, "empty selector is invalid for daemonset"));
  checkRunningTemplate(spec, "DaemonSet", errors);
  checkNotNegative(spec, ["minReadySeconds"], "spec", errors);
  checkUpdateStrategy(objectAt(spec, "updateStrategy"), errors);
  checkNotNegative(spec, ["revisionHistoryLimit"], "spec", errors);
}

function checkUpdateStrategy(strategy: JsonObject, errors: Errors): void {
  const type = textAt(strategy, "type");
  if (type === "OnDelete") return;
  const field = "spec.updateStrategy.rollingUpdate";
  if (type !== "RollingUpdate")
    return void errors.push(notSupported("spec.updateStrategy", strategy, ["RollingUpdate", "OnDelete"]));
  const rolling = objectAt(strategy, "rollingUpdate");
  for (const key of ["maxUnavailable", "maxSurge"]) checkIntOrPercent(rolling, key, field, errors);
  for (const key of ["maxUnavailable", "maxSurge"]) checkAtMostAll(rolling, key, field, errors);
  const hasUnavailable = amountOf(rolling, "maxUnavailable") !== 0;
  const hasSurge = amountOf(rolling, "maxSurge") !== 0;
  if (hasUnavailable && hasSurge)
    errors.push(
      invalid(`${field}.maxSurge`, rolling["maxSurge"] ?? null, "may not be set when maxUnavailable is non-zero"),
    );
  else if (!hasUnavailable && !hasSurge)
    errors.push(required(`${field}.maxUnavailable`, "cannot be 0 when maxSurge is 0"));
}
