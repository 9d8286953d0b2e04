import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import { labelSelectorFrom } from "@kubewright/core/selector";
import { ageColumn, nameColumn } from "../columns.js";
import { childDraft, draftsIn, keepFrom, listAt, objectAt, setDefault, textAt } from "../draft.js";
import { subdomainName } from "../name-rules.js";
import { checkLabels, invalidAt } from "../object-meta.js";
import type { Strategy } from "../resource.js";
import { applyPodTemplateDefaults, checkPodTemplate } from "./pod-template.js";

/** Deployments, as objects: defaults and basic rules of a real server; no controller acts on them here. */
export const deploymentStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: true,
  tracksGeneration: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    if (spec["replicas"] === undefined) spec["replicas"] = 1;
    if (spec["revisionHistoryLimit"] === undefined) spec["revisionHistoryLimit"] = 10;
    if (spec["progressDeadlineSeconds"] === undefined) spec["progressDeadlineSeconds"] = 600;
    const strategy = childDraft(spec, "strategy");
    setDefault(strategy, "type", "RollingUpdate");
    if (strategy["type"] === "RollingUpdate") {
      const rolling = childDraft(strategy, "rollingUpdate");
      setDefault(rolling, "maxUnavailable", "25%");
      setDefault(rolling, "maxSurge", "25%");
    }
    applyPodTemplateDefaults(childDraft(spec, "template"));
    // A real server prints these two even where nobody set them.
    for (const condition of draftsIn(childDraft(draft, "status")["conditions"]))
      for (const key of ["lastTransitionTime", "lastUpdateTime"]) condition[key] ??= null;
  },
  prepareNew(draft) {
    draft["status"] = {};
  },
  prepareChange(draft, old, subresource) {
    if (subresource === "status") keepFrom(draft, old, "spec");
    else keepFrom(draft, old, "status");
  },
  isNewGeneration: (object, old) =>
    !deepEqual(object["spec"], old["spec"]) ||
    !deepEqual(objectAt(object, "metadata")["annotations"], objectAt(old, "metadata")["annotations"]),
  check(object, old, subresource) {
    if (subresource === "status") return checkStatus(objectAt(object, "status"));
    const errors = checkSpec(objectAt(object, "spec"));
    if (old) {
      const selector = objectAt(object, "spec")["selector"] ?? null;
      if (!deepEqual(selector, objectAt(old, "spec")["selector"] ?? null))
        errors.push(invalidAt("spec.selector", selector, "field is immutable"));
    }
    return errors;
  },
  columns: [
    nameColumn,
    {
      name: "Ready",
      type: "string",
      cell: (object) =>
        `${numberAt(objectAt(object, "status"), "readyReplicas")}/${numberAt(objectAt(object, "spec"), "replicas")}`,
    },
    { name: "Up-to-date", type: "string", cell: (object) => numberAt(objectAt(object, "status"), "updatedReplicas") },
    { name: "Available", type: "string", cell: (object) => numberAt(objectAt(object, "status"), "availableReplicas") },
    ageColumn,
    { name: "Containers", type: "string", priority: 1, cell: (object) => containerPart(object, "name") },
    { name: "Images", type: "string", priority: 1, cell: (object) => containerPart(object, "image") },
    {
      name: "Selector",
      type: "string",
      priority: 1,
      cell: (object) => printSelector(objectAt(objectAt(object, "spec"), "selector")),
    },
  ],
};

function numberAt(object: JsonObject, key: string): number {
  const value = object[key];
  return typeof value === "number" ? value : 0;
}

function containerPart(object: JsonObject, part: string): string {
  const containers = listAt(objectAt(objectAt(objectAt(object, "spec"), "template"), "spec"), "containers");
  return containers.map((container) => (isJsonObject(container) ? textAt(container, part) : "")).join(",");
}

/** A label selector as `kubectl get -o wide` prints it. */
function printSelector(selector: JsonObject): string {
  return labelSelectorFrom(selector).toString() || "<none>";
}

const nonNegative = "must be greater than or equal to 0";

function checkNonNegative(object: JsonObject, key: string, field: string): FieldError[] {
  const value = object[key];
  return typeof value === "number" && value < 0 ? [invalidAt(`${field}.${key}`, value, nonNegative)] : [];
}

function checkSpec(spec: JsonObject): FieldError[] {
  const errors = checkNonNegative(spec, "replicas", "spec");
  const selector = spec["selector"];
  const template = objectAt(spec, "template");
  if (!isJsonObject(selector)) errors.push({ type: "Required", field: "spec.selector", badValue: "", detail: "" });
  else {
    errors.push(...checkLabels(objectAt(selector, "matchLabels"), "spec.selector.matchLabels"));
    if (Object.keys(objectAt(selector, "matchLabels")).length + listAt(selector, "matchExpressions").length === 0)
      errors.push(invalidAt("spec.selector", selector, "empty selector is invalid for deployment"));
  }
  const labels = objectAt(template, "metadata")["labels"] ?? null;
  if (!matches(selector, isJsonObject(labels) ? labels : {}))
    errors.push(invalidAt("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"));
  errors.push(...checkPodTemplate(template, "spec.template"));
  const restart = textAt(objectAt(template, "spec"), "restartPolicy");
  if (restart !== "Always")
    errors.push({
      type: "NotSupported",
      field: "spec.template.spec.restartPolicy",
      badValue: restart,
      detail: 'supported values: "Always"',
    });
  errors.push(...checkRollout(objectAt(spec, "strategy")));
  for (const key of ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"])
    errors.push(...checkNonNegative(spec, key, "spec"));
  if (numberAt(spec, "progressDeadlineSeconds") <= numberAt(spec, "minReadySeconds"))
    errors.push(
      invalidAt(
        "spec.progressDeadlineSeconds",
        spec["progressDeadlineSeconds"] ?? null,
        "must be greater than minReadySeconds",
      ),
    );
  return errors;
}

function checkRollout(strategy: JsonObject): FieldError[] {
  const type = textAt(strategy, "type");
  if (type === "RollingUpdate") return [];
  if (type !== "Recreate")
    return [
      {
        type: "NotSupported",
        field: "spec.strategy",
        badValue: strategy,
        detail: 'supported values: "Recreate", "RollingUpdate"',
      },
    ];
  if (strategy["rollingUpdate"] === undefined) return [];
  return [
    {
      type: "Forbidden",
      field: "spec.strategy.rollingUpdate",
      badValue: "",
      detail: "may not be specified when strategy `type` is 'Recreate'",
    },
  ];
}

function checkStatus(status: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
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
  for (const key of counts) errors.push(...checkNonNegative(status, key, "status"));
  for (const key of ["updatedReplicas", "readyReplicas", "availableReplicas"])
    if (numberAt(status, key) > numberAt(status, "replicas"))
      errors.push(invalidAt(`status.${key}`, numberAt(status, key), "cannot be greater than status.replicas"));
  if (numberAt(status, "availableReplicas") > numberAt(status, "readyReplicas"))
    errors.push(
      invalidAt(
        "status.availableReplicas",
        numberAt(status, "availableReplicas"),
        "cannot be greater than readyReplicas",
      ),
    );
  return errors;
}

/** Whether a selector chooses the template's pods; one that is malformed chooses none. */
function matches(selector: JsonValue | undefined, labels: JsonObject): boolean {
  if (!isJsonObject(selector)) return false;
  try {
    return labelSelectorFrom(selector).matches(labels as Readonly<Record<string, string>>);
  } catch {
    return false;
  }
}
