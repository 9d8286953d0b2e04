import { deepEqual } from "@kubewright/core/json";
import { invalid, notSupported, required } from "@kubewright/core/schema";
import type { DaemonSet, DaemonSetSpec, DaemonSetUpdateStrategy } from "kubewright/k8s/apps/v1";
import { ageColumn, countColumn, nameColumn } from "../../columns.js";
import type { Decoded, Drafted } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkIntOrPercent,
  checkLabelSelector,
  checkNotMoreThan100Percent,
  checkNotNegative,
  type Errors,
  intOrPercentValue,
  isEmptySelector,
  printLabels,
} from "../../validation/index.js";
import { templateWarnings } from "../core/pod/pod-warnings.js";
import { applyPodTemplateDefaults } from "../core/pod-spec/index.js";
import { keepOtherPart, specChanged } from "../spec-and-status.js";
import {
  checkCounts,
  checkImmutable,
  checkSelectorMatches,
  checkWorkloadTemplate,
  hasValidSelector,
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
] as const;

/** DaemonSet. */
export const daemonSetStrategy: Strategy<DaemonSet> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    const strategy = childDraft(spec, "updateStrategy");
    strategy.type ||= "RollingUpdate";
    const isRolling = strategy.type === "RollingUpdate";
    const rolling = isRolling ? childDraft(strategy, "rollingUpdate") : strategy.rollingUpdate;
    if (rolling) {
      rolling.maxUnavailable ??= isRolling ? 1 : 0;
      rolling.maxSurge ??= 0;
    }
    spec.revisionHistoryLimit ??= 10;
    // The field manager that writes the object owns this annotation.
    if (!draft.metadata?.annotations?.[generationAnnotation]) setTemplateGeneration(draft, 0n);
    applyPodTemplateDefaults(childDraft(spec, "template"));
  },
  prepareForCreate(draft) {
    draft.status = {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    };
    const generation = templateGeneration(draft);
    setTemplateGeneration(draft, generation < 1n ? 1n : generation);
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    const before = templateGeneration(old);
    const isNew = !deepEqual(draft.spec?.template, old.spec?.template);
    setTemplateGeneration(draft, isNew ? BigInt.asIntN(64, before + 1n) : before);
  },
  isNewGeneration: specChanged,
  validate(object, old, { subresource }) {
    if (subresource === "status") return checkCounts(object.status ?? {}, old?.status, { counts, parts: [] });
    const { spec = {} } = object;
    const errors: Errors = [];
    if (old) checkImmutable(spec, old.spec ?? {}, "selector", errors);
    checkSpec(spec, errors);
    return errors;
  },
  warn: (object, old) =>
    old && templateGeneration(object) === templateGeneration(old) ? [] : templateWarnings(object, old),
  table: {
    columns: [
      nameColumn,
      countColumn("Desired", (object) => object.status?.desiredNumberScheduled),
      countColumn("Current", (object) => object.status?.currentNumberScheduled),
      countColumn("Ready", (object) => object.status?.numberReady),
      countColumn("Up-to-date", (object) => object.status?.updatedNumberScheduled),
      countColumn("Available", (object) => object.status?.numberAvailable),
      {
        name: "Node Selector",
        type: "string",
        cell: (object) => printLabels(object.spec?.template?.spec?.nodeSelector ?? {}),
      },
      ageColumn,
      ...wideColumns,
    ],
  },
};

/** An int64; 0 if the annotation has another value. */
function templateGeneration(object: Decoded<DaemonSet>): bigint {
  const text = object.metadata?.annotations?.[generationAnnotation] ?? "";
  const value = /^[+-]?\d+$/.test(text) ? BigInt(text) : 0n;
  return BigInt.asIntN(64, value) === value ? value : 0n;
}

function setTemplateGeneration(draft: Drafted<DaemonSet>, generation: bigint): void {
  const metadata = childDraft(draft, "metadata");
  if (metadata.annotations?.[generationAnnotation] === String(generation)) return;
  metadata.annotations = { ...metadata.annotations, [generationAnnotation]: String(generation) };
}

function checkSpec(spec: Decoded<DaemonSetSpec>, errors: Errors): void {
  const { selector, template = {} } = spec;
  checkLabelSelector(selector, "spec.selector", errors);
  if (hasValidSelector(spec)) checkSelectorMatches(spec, errors);
  if (selector && isEmptySelector(selector))
    errors.push(invalid("spec.selector", selector, "empty selector is invalid for daemonset"));
  checkWorkloadTemplate(template, "DaemonSet", errors);
  checkNotNegative(spec, ["minReadySeconds"], "spec", errors);
  checkUpdateStrategy(spec.updateStrategy ?? {}, errors);
  checkNotNegative(spec, ["revisionHistoryLimit"], "spec", errors);
}

function checkUpdateStrategy(strategy: Decoded<DaemonSetUpdateStrategy>, errors: Errors): void {
  const { type, rollingUpdate: rolling = {} } = strategy;
  if (type === "OnDelete") return;
  const field = "spec.updateStrategy.rollingUpdate";
  if (type !== "RollingUpdate")
    return void errors.push(notSupported("spec.updateStrategy", strategy, ["RollingUpdate", "OnDelete"]));
  for (const key of ["maxUnavailable", "maxSurge"] as const) checkIntOrPercent(rolling, key, field, errors);
  for (const key of ["maxUnavailable", "maxSurge"] as const) checkNotMoreThan100Percent(rolling, key, field, errors);
  const { maxSurge = null } = rolling;
  const hasUnavailable = intOrPercentValue(rolling, "maxUnavailable") !== 0;
  const hasSurge = intOrPercentValue(rolling, "maxSurge") !== 0;
  if (hasUnavailable && hasSurge)
    errors.push(invalid(`${field}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero"));
  else if (!hasUnavailable && !hasSurge)
    errors.push(required(`${field}.maxUnavailable`, "cannot be 0 when maxSurge is 0"));
}
