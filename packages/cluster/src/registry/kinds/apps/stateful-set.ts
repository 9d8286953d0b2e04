import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid } from "@kubewright/core/schema";
import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from "kubewright/k8s/apps/v1";
import type { PodTemplateSpec } from "kubewright/k8s/core/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded, Drafted } from "../../decoded.js";
import { childDraft, drop } from "../../draft.js";
import { labelName } from "../../name-rules.js";
import { isStoredPart } from "../../stored-part.js";
import type { Strategy } from "../../strategy.js";
import {
  checkIntOrPercent,
  checkName,
  checkNotMoreThan100Percent,
  checkNotNegative,
  checkOptionalEnum,
  type Errors,
  entriesAt,
  intOrPercentValue,
} from "../../validation/index.js";
import { checkClaimSpec } from "../core/persistent-volume-claim/check-claim-spec.js";
import { claimWarnings, templateWarnings } from "../core/pod/pod-warnings.js";
import { applyPodTemplateDefaults, checkPodTemplate } from "../core/pod-spec/index.js";
import { keepOtherPart } from "../spec-and-status.js";
import {
  checkCounts,
  checkRequiredSelector,
  checkRestartAlways,
  checkSelectorMatches,
  containerColumns,
  hasValidSelector,
} from "./workload.js";

/** The mutable fields of the spec. */
const mutable: readonly string[] = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
] satisfies (keyof StatefulSetSpec)[];

const negativeHistory =
  "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended";

/** StatefulSet. */
export const statefulSetStrategy: Strategy<StatefulSet> = {
  nameRule: labelName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    // No field manager owns an empty serviceName: `canonicalize` sets it.
    if (spec.serviceName === "" && !isStoredPart(spec)) delete spec.serviceName;
    spec.podManagementPolicy ||= "OrderedReady";
    applyUpdateDefaults(childDraft(spec, "updateStrategy"));
    const retention = childDraft(spec, "persistentVolumeClaimRetentionPolicy");
    retention.whenDeleted ||= "Retain";
    retention.whenScaled ||= "Retain";
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    if (spec.ordinals) spec.ordinals.start ??= 0;
    for (const claim of spec.volumeClaimTemplates ?? []) {
      // A template is a complete PersistentVolumeClaim with apiVersion and kind.
      claim.apiVersion ??= "v1";
      claim.kind ??= "PersistentVolumeClaim";
      childDraft(claim, "spec").volumeMode ??= "Filesystem";
      childDraft(claim, "status").phase ||= "Pending";
    }
    applyPodTemplateDefaults(childDraft(spec, "template"));
  },
  prepareForCreate(draft) {
    draft.status = { replicas: 0, availableReplicas: 0 };
    dropMaxUnavailable(draft);
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    if (old.spec?.updateStrategy?.rollingUpdate?.maxUnavailable === undefined) dropMaxUnavailable(draft);
  },
  // An empty serviceName equals an absent one.
  isNewGeneration: (object, old) => !deepEqual({ serviceName: "", ...object.spec }, { serviceName: "", ...old.spec }),
  canonicalize(draft) {
    childDraft(draft, "spec").serviceName ??= "";
    childDraft(draft, "status").availableReplicas ??= 0;
  },
  validate(object, old, { subresource }) {
    if (subresource === "status")
      return checkCounts(object.status ?? {}, old?.status, {
        counts: [
          "replicas",
          "readyReplicas",
          "currentReplicas",
          "updatedReplicas",
          "availableReplicas",
          "observedGeneration",
          "collisionCount",
        ],
        parts: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
        ready: "status.readyReplicas",
      });
    const { spec = {} } = object;
    const errors: Errors = [];
    checkSpec(spec, old === undefined, errors);
    if (old) checkImmutableFields(spec, old.spec ?? {}, errors);
    return errors;
  },
  warn(object, old) {
    const { spec = {} } = object;
    return [
      ...templateWarnings(object, old),
      ...entriesAt(spec, "volumeClaimTemplates", "spec").flatMap(([claim, at]) =>
        // kube-apiserver reports another path on updates.
        claimWarnings(claim.spec ?? {}, old ? `${at}.Spec` : at),
      ),
      ...((spec.revisionHistoryLimit ?? 0) < 0 ? [negativeHistory] : []),
    ];
  },
  table: {
    columns: [
      nameColumn,
      {
        name: "Ready",
        type: "string",
        cell: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      },
      ageColumn,
      ...containerColumns((object: Decoded<StatefulSet>) => object.spec?.template?.spec),
    ],
  },
};

/** Behind a feature gate that is off by default: kept only if the old object has it. */
function dropMaxUnavailable(draft: Drafted<StatefulSet>): void {
  const rolling = draft.spec?.updateStrategy?.rollingUpdate;
  if (rolling) drop(rolling, "maxUnavailable");
}

function applyUpdateDefaults(strategy: Drafted<StatefulSetUpdateStrategy>): void {
  if (strategy.type === undefined) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === "RollingUpdate" && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
}

function checkImmutableFields(spec: Decoded<StatefulSetSpec>, old: Decoded<StatefulSetSpec>, errors: Errors): void {
  const immutableFields = (whole: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(whole).filter(([key]) => !mutable.includes(key)));
  if (deepEqual(immutableFields(spec), immutableFields(old))) return;
  errors.push(
    forbidden(
      "spec",
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ),
  );
}

function checkSpec(spec: Decoded<StatefulSetSpec>, isNew: boolean, errors: Errors): void {
  const { podManagementPolicy, serviceName = "", template = {} } = spec;
  if (podManagementPolicy !== "OrderedReady" && podManagementPolicy !== "Parallel")
    errors.push(invalid("spec.podManagementPolicy", podManagementPolicy ?? "", "must be 'OrderedReady' or 'Parallel'"));
  checkUpdateStrategy(spec.updateStrategy ?? {}, errors);
  for (const key of ["whenDeleted", "whenScaled"] as const)
    checkOptionalEnum(
      spec.persistentVolumeClaimRetentionPolicy?.[key] ?? "",
      ["Retain", "Delete"],
      `spec.persistentVolumeClaimRetentionPolicy.${key}`,
      errors,
    );
  if (isNew)
    for (const [claim, at] of entriesAt(spec, "volumeClaimTemplates", "spec"))
      checkClaimSpec(claim.spec ?? {}, `${at}.spec`, errors);
  checkNotNegative(spec, ["replicas", "minReadySeconds"], "spec", errors);
  checkNotNegative(spec.ordinals ?? {}, ["start"], "spec.ordinals", errors);
  if (isNew && serviceName !== "") checkName(serviceName, labelName, "spec.serviceName", errors);
  checkRequiredSelector(spec, "statefulset", errors);
  if (!hasValidSelector(spec)) errors.push(invalid("spec.selector", spec.selector ?? null, ""));
  else {
    checkSelectorMatches(spec, errors);
    checkPodTemplate(withClaimVolumes(spec), "spec.template", errors);
  }
  checkRestartAlways(template, "StatefulSet", errors);
}

/** The template with the volumes of volumeClaimTemplates, without hostname and subdomain. */
function withClaimVolumes({ template, volumeClaimTemplates = [] }: Decoded<StatefulSetSpec>): Decoded<PodTemplateSpec> {
  const names = [...new Set(volumeClaimTemplates.map((claim) => claim.metadata?.name ?? ""))];
  const { hostname: _, subdomain: __, ...pod } = template?.spec ?? {};
  if (names.length === 0) return { ...template, spec: pod };
  const own = (pod.volumes ?? []).filter((volume) => !names.includes(volume.name ?? ""));
  const claimVolumes = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...template, spec: { ...pod, volumes: [...claimVolumes, ...own] } };
}

function checkUpdateStrategy(strategy: Decoded<StatefulSetUpdateStrategy>, errors: Errors): void {
  const { type, rollingUpdate: rolling } = strategy;
  const field = "spec.updateStrategy.rollingUpdate";
  if (type === "OnDelete") {
    if (rolling) errors.push(invalid(field, rolling, "only allowed for updateStrategy 'RollingUpdate'"));
  } else if (type === "RollingUpdate") {
    if (!rolling) return;
    checkNotNegative(rolling, ["partition"], field, errors);
    if (rolling.maxUnavailable === undefined) return;
    checkIntOrPercent(rolling, "maxUnavailable", field, errors);
    if (intOrPercentValue(rolling, "maxUnavailable") === 0)
      errors.push(invalid(`${field}.maxUnavailable`, rolling.maxUnavailable, "cannot be 0"));
    checkNotMoreThan100Percent(rolling, "maxUnavailable", field, errors);
  } else errors.push(invalid("spec.updateStrategy", strategy, "must be 'RollingUpdate' or 'OnDelete'"));
}
