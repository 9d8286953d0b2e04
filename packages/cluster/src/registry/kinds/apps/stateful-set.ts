import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import {
  childDraft,
  type Draft,
  draftsIn,
  listAt,
  metadataOf,
  numberAt,
  objectAt,
  partAt,
  setDefault,
  setMissing,
  textAt,
} from "../../draft.js";
import { labelName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  amountOf,
  checkAtMostAll,
  checkIntOrPercent,
  checkName,
  checkNotNegative,
  checkOptionalEnum,
  type Errors,
  entriesAt,
} from "../../validation/index.js";
import { checkClaimSpec } from "../core/persistent-volume-claim/check-claim-spec.js";
import { claimWarnings, templateWarnings } from "../core/pod/pod-warnings.js";
import { applyPodTemplateDefaults, checkPodTemplate } from "../core/pod-spec/index.js";
import { keepOtherPart } from "../spec-and-status.js";
import {
  checkCounts,
  checkKeptRunning,
  checkRequiredSelector,
  checkSelectorFits,
  containerColumns,
  isSound,
  templateOf,
} from "./workload.js";

/** The mutable fields of the spec. */
const mutable = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
];

const negativeHistory =
  "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended";

/** StatefulSet. */
export const statefulSetStrategy: Strategy = {
  nameRule: labelName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    // An empty struct has no field owner.
    if (spec["serviceName"] === "" && !Object.isFrozen(spec)) delete spec["serviceName"];
    setDefault(spec, "podManagementPolicy", "OrderedReady");
    applyUpdateDefaults(childDraft(spec, "updateStrategy"));
    const retention = childDraft(spec, "persistentVolumeClaimRetentionPolicy");
    setDefault(retention, "whenDeleted", "Retain");
    setDefault(retention, "whenScaled", "Retain");
    setMissing(spec, "replicas", 1);
    setMissing(spec, "revisionHistoryLimit", 10);
    if (isJsonObject(spec["ordinals"])) setMissing(childDraft(spec, "ordinals"), "start", 0);
    for (const claim of draftsIn(spec["volumeClaimTemplates"])) {
      // A template is a complete PersistentVolumeClaim with apiVersion and kind.
      claim["apiVersion"] ??= "v1";
      claim["kind"] ??= "PersistentVolumeClaim";
      childDraft(claim, "spec")["volumeMode"] ??= "Filesystem";
      setDefault(childDraft(claim, "status"), "phase", "Pending");
    }
    applyPodTemplateDefaults(childDraft(spec, "template"));
  },
  prepareForCreate(draft) {
    draft["status"] = { replicas: 0, availableReplicas: 0 };
    dropMaxUnavailable(draft);
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    const { maxUnavailable } = objectAt(objectAt(objectAt(old, "spec"), "updateStrategy"), "rollingUpdate");
    if (maxUnavailable === undefined) dropMaxUnavailable(draft);
  },
  // A field that is always present does not count as a change.
  isNewGeneration: (object, old) =>
    !deepEqual({ serviceName: "", ...objectAt(object, "spec") }, { serviceName: "", ...objectAt(old, "spec") }),
  canonicalize(draft) {
    const spec = childDraft(draft, "spec");
    spec["serviceName"] ??= "";
    childDraft(draft, "status")["availableReplicas"] ??= 0;
  },
  validate(object, old, { subresource }) {
    if (subresource === "status")
      return checkCounts(object, old, {
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
    const spec = objectAt(object, "spec");
    const errors: Errors = [];
    checkSpec(spec, old === undefined, errors);
    if (old) checkFixedParts(spec, objectAt(old, "spec"), errors);
    return errors;
  },
  warn(object, old) {
    const spec = objectAt(object, "spec");
    return [
      ...templateWarnings(object, old),
      ...entriesAt(spec, "volumeClaimTemplates", "spec").flatMap(([claim, at]) =>
        // kube-apiserver names the path differently on updates.
        claimWarnings(objectAt(claim, "spec"), old ? `${at}.Spec` : at),
      ),
      ...(numberAt(spec, "revisionHistoryLimit") < 0 ? [negativeHistory] : []),
    ];
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
      ageColumn,
      ...containerColumns((object) => objectAt(templateOf(object), "spec")),
    ],
  },
};

/** Behind a feature gate that is off by default: kept only if the old object has it. */
function dropMaxUnavailable(draft: Draft): void {
  const spec = draft["spec"];
  const strategy = isJsonObject(spec) ? spec["updateStrategy"] : undefined;
  if (!isJsonObject(strategy) || !isJsonObject(strategy["rollingUpdate"])) return;
  delete childDraft(childDraft(childDraft(draft, "spec"), "updateStrategy"), "rollingUpdate")["maxUnavailable"];
}

function applyUpdateDefaults(strategy: Draft): void {
  if (strategy["type"] === undefined) {
    strategy["type"] = "RollingUpdate";
    childDraft(strategy, "rollingUpdate");
  }
  if (strategy["type"] !== "RollingUpdate" || strategy["rollingUpdate"] === undefined) return;
  setMissing(childDraft(strategy, "rollingUpdate"), "partition", 0);
}

function checkFixedParts(spec: JsonObject, old: JsonObject, errors: Errors): void {
  const keys = new Set([...Object.keys(spec), ...Object.keys(old)]);
  for (const key of mutable) keys.delete(key);
  if ([...keys].every((key) => deepEqual(spec[key], old[key]))) return;
  errors.push(
    forbidden(
      "spec",
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ),
  );
}

function checkSpec(spec: JsonObject, isNew: boolean, errors: Errors): void {
  const management = textAt(spec, "podManagementPolicy");
  if (management !== "OrderedReady" && management !== "Parallel")
    errors.push(invalid("spec.podManagementPolicy", management, "must be 'OrderedReady' or 'Parallel'"));
  checkUpdateStrategy(objectAt(spec, "updateStrategy"), errors);
  const retention = partAt(spec, "persistentVolumeClaimRetentionPolicy") ?? {};
  for (const key of ["whenDeleted", "whenScaled"])
    checkOptionalEnum(
      textAt(retention, key),
      ["Retain", "Delete"],
      `spec.persistentVolumeClaimRetentionPolicy.${key}`,
      errors,
    );
  if (isNew)
    for (const [claim, at] of entriesAt(spec, "volumeClaimTemplates", "spec"))
      checkClaimSpec(objectAt(claim, "spec"), `${at}.spec`, errors);
  checkNotNegative(spec, ["replicas", "minReadySeconds"], "spec", errors);
  checkNotNegative({ "ordinals.start": objectAt(spec, "ordinals")["start"] ?? 0 }, ["ordinals.start"], "spec", errors);
  const service = textAt(spec, "serviceName");
  if (isNew && service !== "") checkName(service, labelName, "spec.serviceName", errors);
  checkRequiredSelector(spec, "statefulset", errors);
  const template = objectAt(spec, "template");
  if (!isSound(spec)) errors.push(invalid("spec.selector", spec["selector"] ?? null, ""));
  else {
    checkSelectorFits(spec, errors);
    checkPodTemplate(withClaims(template, spec), "spec.template", errors);
  }
  checkKeptRunning(template, "StatefulSet", errors);
}

/** The template with the volumes of volumeClaimTemplates, without hostname and subdomain. */
function withClaims(template: JsonObject, spec: JsonObject): JsonObject {
  const claims = listAt(spec, "volumeClaimTemplates").filter(isJsonObject);
  const names = [...new Set(claims.map((claim) => textAt(metadataOf(claim), "name")))];
  const { hostname: _, subdomain: __, ...pod } = objectAt(template, "spec");
  if (claims.length === 0) return { ...template, spec: pod };
  const own = listAt(pod, "volumes").filter(
    (volume) => !isJsonObject(volume) || !names.includes(textAt(volume, "name")),
  );
  const made = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...template, spec: { ...pod, volumes: [...made, ...own] } };
}

function checkUpdateStrategy(strategy: JsonObject, errors: Errors): void {
  const type = textAt(strategy, "type");
  const rolling = partAt(strategy, "rollingUpdate");
  const field = "spec.updateStrategy.rollingUpdate";
  if (type === "OnDelete") {
    if (rolling !== undefined) errors.push(invalid(field, rolling, "only allowed for updateStrategy 'RollingUpdate'"));
  } else if (type === "RollingUpdate") {
    if (rolling === undefined) return;
    checkNotNegative(rolling, ["partition"], field, errors);
    if (rolling["maxUnavailable"] === undefined) return;
    checkIntOrPercent(rolling, "maxUnavailable", field, errors);
    if (amountOf(rolling, "maxUnavailable") === 0)
      errors.push(invalid(`${field}.maxUnavailable`, rolling["maxUnavailable"] ?? null, "cannot be 0"));
    checkAtMostAll(rolling, "maxUnavailable", field, errors);
  } else errors.push(invalid("spec.updateStrategy", strategy, "must be 'RollingUpdate' or 'OnDelete'"));
}
