import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import {
  childDraft,
  type Draft,
  isDraft,
  listAt,
  numberAt,
  objectAt,
  optionalNumber,
  partAt,
  setMissing,
  textAt,
} from "../../draft.js";
import { labelName, pathSegmentName, subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import {
  checkContainerName,
  checkName,
  checkNotNegative,
  checkOptionalEnum,
  checkRequiredName,
  type Errors,
  entriesAt,
  notNegative,
  quantityOf,
} from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";
import { autoscalerFromV2, autoscalerToV2, dropReservedNotes, keepNewForm } from "./autoscaler-conversion.js";

const sourceTypes = ["ContainerResource", "External", "Object", "Pods", "Resource"];

/** HorizontalPodAutoscaler of `autoscaling/v2`, the stored form. */
export const autoscalerStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    dropReservedNotes(draft);
    const spec = childDraft(draft, "spec");
    setMissing(spec, "minReplicas", 1);
    if (listAt(spec, "metrics").length === 0)
      spec["metrics"] = [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
      ];
    const behavior = spec["behavior"];
    if (!isDraft(behavior)) return;
    applyRules(childDraft(behavior, "scaleUp"), 0, [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ]);
    applyRules(childDraft(behavior, "scaleDown"), undefined, [{ type: "Percent", value: 100, periodSeconds: 15 }]);
  },
  prepareForCreate(draft) {
    draft["status"] = { desiredReplicas: 0, currentMetrics: null };
  },
  prepareForUpdate: keepOtherPart,
  validate: (object, _old, { subresource }) => checkAutoscaler(object, subresource),
  table: {
    columns: columnsBy((object) => object),
  },
};

/** HorizontalPodAutoscaler of `autoscaling/v1`: CPU utilization only, annotations carry the rest. */
export const autoscalerV1Strategy: Strategy = {
  ...autoscalerStrategy,
  applyDefaults(draft) {
    setMissing(childDraft(draft, "spec"), "minReplicas", 1);
    asV2(draft, () => undefined);
  },
  prepareForCreate: (draft, context) => asV2(draft, (stored) => autoscalerStrategy.prepareForCreate?.(stored, context)),
  // After managedFields are computed: a manager that leaves an annotation out no longer owns it, though it comes back.
  prepareForUpdate: (draft, old, context) =>
    asV2(draft, (stored) => keepOtherPart(stored, autoscalerToV2(old), context)),
  // Errors name the fields of the stored form.
  validate: (object, _old, { subresource }) => checkAutoscaler(autoscalerToV2(object), subresource),
  table: {
    columns: columnsBy(autoscalerToV2),
  },
};

/** Applies a change of the v2 form to a v1 object, in place. */
function asV2(draft: Draft, change: (stored: Draft) => void): void {
  const stored = autoscalerToV2(draft) as Draft;
  change(stored);
  Object.assign(draft, autoscalerFromV2(stored));
  keepNewForm(draft, stored);
}

function applyRules(rules: Draft, window: number | undefined, policies: Draft[]): void {
  setMissing(rules, "selectPolicy", "Max");
  if (window !== undefined) setMissing(rules, "stabilizationWindowSeconds", window);
  setMissing(rules, "policies", policies);
}

function checkAutoscaler(object: JsonObject, subresource: string): Errors {
  const errors: Errors = [];
  if (subresource === "status")
    checkNotNegative(objectAt(object, "status"), ["currentReplicas", "desiredReplicas"], "status", errors);
  else checkSpec(objectAt(object, "spec"), errors);
  return errors;
}

function checkSpec(spec: JsonObject, errors: Errors): void {
  const min = optionalNumber(spec, "minReplicas");
  const max = numberAt(spec, "maxReplicas");
  if (min !== undefined && min < 1) errors.push(invalid("spec.minReplicas", min, "must be greater than or equal to 1"));
  if (max === 0) errors.push(required("spec.maxReplicas", "must be set and greater than 0"));
  else if (max < 0) errors.push(invalid("spec.maxReplicas", max, "must be greater than or equal to 1"));
  if (min !== undefined && max < min)
    errors.push(invalid("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`"));
  const target = objectAt(spec, "scaleTargetRef");
  // The only scalable kind of the core group.
  const mayLackGroup = textAt(target, "kind") === "ReplicationController";
  checkReference(target, "spec.scaleTargetRef", mayLackGroup, errors);
  for (const [metric, at] of entriesAt(spec, "metrics", "spec")) checkMetric(metric, at, errors);
  if (min === 0) {
    const types = listAt(spec, "metrics").map((metric) => (isJsonObject(metric) ? textAt(metric, "type") : ""));
    if (!types.includes("Object") && !types.includes("External"))
      errors.push(
        forbidden(
          "spec.metrics",
          "must specify at least one Object or External metric to support scaling to zero replicas",
        ),
      );
  }
  const behavior = partAt(spec, "behavior");
  if (behavior !== undefined)
    for (const key of ["scaleUp", "scaleDown"]) {
      const rules = partAt(behavior, key);
      if (rules !== undefined) checkRules(rules, `spec.behavior.${key}`, errors);
    }
}

function checkReference(reference: JsonObject, field: string, mayLackGroup: boolean, errors: Errors): void {
  for (const key of ["kind", "name"])
    checkRequiredName(textAt(reference, key), pathSegmentName, `${field}.${key}`, errors);
  const version = textAt(reference, "apiVersion");
  const slashes = version.split("/").length - 1;
  if (slashes > 1) errors.push(invalid(`${field}.apiVersion`, version, `unexpected GroupVersion string: ${version}`));
  else if (!mayLackGroup && (slashes === 0 || version.startsWith("/")))
    errors.push(invalid(`${field}.apiVersion`, version, "apiVersion must specify API group"));
}

function checkRules(rules: JsonObject, field: string, errors: Errors): void {
  const window = optionalNumber(rules, "stabilizationWindowSeconds");
  const at = `${field}.stabilizationWindowSeconds`;
  if (window !== undefined && window < 0) errors.push(invalid(at, window, "must be greater than or equal to zero"));
  if (window !== undefined && window > 3600) errors.push(invalid(at, window, "must be less than or equal to 3600"));
  checkOptionalEnum(rules["selectPolicy"], ["Disabled", "Max", "Min"], `${field}.selectPolicy`, errors);
  if (listAt(rules, "policies").length === 0)
    errors.push(required(`${field}.policies`, "must specify at least one Policy"));
  for (const [policy, place] of entriesAt(rules, "policies", field)) {
    checkOptionalEnum(textAt(policy, "type"), ["Percent", "Pods"], `${place}.type`, errors);
    for (const key of ["value", "periodSeconds"])
      if (numberAt(policy, key) <= 0)
        errors.push(invalid(`${place}.${key}`, numberAt(policy, key), "must be greater than zero"));
    if (numberAt(policy, "periodSeconds") > 1800)
      errors.push(
        invalid(`${place}.periodSeconds`, numberAt(policy, "periodSeconds"), "must be less than or equal to 1800"),
      );
  }
  const tolerance = rules["tolerance"];
  if (tolerance !== undefined && quantityOf(tolerance).sign < 0)
    errors.push(invalid(`${field}.tolerance`, tolerance, notNegative));
}

function checkMetric(metric: JsonObject, field: string, errors: Errors): void {
  const type = textAt(metric, "type");
  if (type === "") errors.push(required(`${field}.type`, "must specify a metric source type"));
  const kinds = ["object", "external", "pods", "resource", "containerResource"];
  const found = kinds.filter((kind) => partAt(metric, kind) !== undefined);
  const [first] = found;
  if (first !== undefined) checkSource(first, objectAt(metric, first), `${field}.${first}`, errors);
  const expected = type.slice(0, 1).toLowerCase() + type.slice(1);
  if (!sourceTypes.includes(type)) errors.push(notSupported(`${field}.type`, type, sourceTypes));
  else if (!found.includes(expected))
    errors.push(required(`${field}.${expected}`, "must populate information for the given metric source"));
  if (found.length !== 1)
    for (const kind of found.filter((one) => one !== expected))
      errors.push(forbidden(`${field}.${kind}`, "must populate the given metric source only"));
}

function checkSource(kind: string, source: JsonObject, field: string, errors: Errors): void {
  const target = objectAt(source, "target");
  const at = `${field}.target`;
  if (kind === "object") checkReference(objectAt(source, "describedObject"), `${field}.describedObject`, true, errors);
  if (kind === "resource" || kind === "containerResource") {
    const [name, container] = [textAt(source, "name"), textAt(source, "container")];
    if (name === "") errors.push(required(`${field}.name`, "must specify a resource name"));
    else if (kind === "containerResource") checkContainerName(name, `${field}.name`, errors);
    if (kind === "containerResource" && container === "")
      errors.push(required(`${field}.container`, "must specify a container"));
    else if (kind === "containerResource") checkName(container, labelName, `${field}.container`, errors);
  } else {
    const name = textAt(objectAt(source, "metric"), "name");
    if (name === "") errors.push(required(`${field}.metric.name`, "must specify a metric name"));
    else checkRequiredName(name, pathSegmentName, `${field}.metric.name`, errors);
  }
  checkTarget(target, at, errors);
  const { value, averageValue, averageUtilization } = target;
  if (kind === "pods") {
    if (averageValue === undefined)
      errors.push(required(`${at}.averageValue`, "must specify a positive target averageValue"));
  } else if (kind === "object" || kind === "external") {
    if (value === undefined && averageValue === undefined)
      errors.push(
        required(
          `${at}.averageValue`,
          kind === "object"
            ? "must set either a target value or averageValue"
            : "must set either a target value for metric or a per-pod target",
        ),
      );
    if (kind === "external" && value !== undefined && averageValue !== undefined)
      errors.push(forbidden(`${at}.value`, "may not set both a target value for metric and a per-pod target"));
  } else {
    if (averageUtilization === undefined && averageValue === undefined)
      errors.push(required(`${at}.averageUtilization`, "must set either a target raw value or a target utilization"));
    if (averageUtilization !== undefined && averageValue !== undefined)
      errors.push(forbidden(`${at}.averageValue`, "may not set both a target raw value and a target utilization"));
  }
}

function checkTarget(target: JsonObject, field: string, errors: Errors): void {
  const type = textAt(target, "type");
  if (type === "") errors.push(required(`${field}.type`, "must specify a metric target type"));
  if (!["Utilization", "Value", "AverageValue"].includes(type))
    errors.push(invalid(`${field}.type`, type, "must be either Utilization, Value, or AverageValue"));
  for (const key of ["value", "averageValue"]) {
    const amount = target[key];
    if (amount !== undefined && quantityOf(amount).sign <= 0)
      errors.push(invalid(`${field}.${key}`, amount, "must be positive"));
  }
  const share = optionalNumber(target, "averageUtilization");
  if (share !== undefined && share < 1)
    errors.push(invalid(`${field}.averageUtilization`, share, "must be greater than 0"));
}

function columnsBy(view: (object: JsonObject) => JsonObject): readonly Column[] {
  return [
    nameColumn,
    {
      name: "Reference",
      type: "string",
      cell(object) {
        const reference = objectAt(objectAt(object, "spec"), "scaleTargetRef");
        return `${textAt(reference, "kind")}/${textAt(reference, "name")}`;
      },
    },
    { name: "Targets", type: "string", cell: (object) => targetsOf(view(object)) },
    {
      name: "MinPods",
      type: "string",
      cell: (object) => String(objectAt(object, "spec")["minReplicas"] ?? "<unset>"),
    },
    { name: "MaxPods", type: "string", cell: (object) => numberAt(objectAt(object, "spec"), "maxReplicas") },
    { name: "Replicas", type: "string", cell: (object) => numberAt(objectAt(object, "status"), "currentReplicas") },
    ageColumn,
  ];
}

function targetsOf(object: JsonObject): string {
  const metrics = listAt(objectAt(object, "spec"), "metrics").filter(isJsonObject);
  const current = listAt(objectAt(object, "status"), "currentMetrics").filter(isJsonObject);
  if (metrics.length === 0) return "<none>";
  const shown = metrics.map((metric, index) => targetOf(metric, current[index] ?? {}));
  if (shown.length <= 2) return shown.join(", ");
  return `${shown.slice(0, 2).join(", ")} + ${shown.length - 2} more...`;
}

function targetOf(metric: JsonObject, current: JsonObject): string {
  const type = textAt(metric, "type");
  const key = type.slice(0, 1).toLowerCase() + type.slice(1);
  const part = objectAt(metric, key);
  const target = objectAt(part, "target");
  const now = objectAt(objectAt(current, key), "current");
  const isResource = key === "resource" || key === "containerResource";
  const prefix = isResource ? `${textAt(part, "name")}: ` : "";
  if (target["averageValue"] !== undefined) {
    const suffix = isResource || key === "pods" ? "" : " (avg)";
    return `${prefix}${String(now["averageValue"] ?? "<unknown>")}/${String(target["averageValue"])}${suffix}`;
  }
  if (!isResource) return `${String(now["value"] ?? "<unknown>")}/${String(target["value"] ?? "")}`;
  const share = (value: unknown, none: string): string => (typeof value === "number" ? `${value}%` : none);
  return `${prefix}${share(now["averageUtilization"], "<unknown>")}/${share(target["averageUtilization"], "<auto>")}`;
}
