import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  ExternalMetricSource,
  HorizontalPodAutoscalerSpec,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from "kubewright/k8s/autoscaling/v2";
import type { Decoded } from "../../decoded.js";
import { labelName, pathSegmentName } from "../../name-rules.js";
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
import type { StoredAutoscaler } from "./autoscaler-conversion.js";

/** Validates a HorizontalPodAutoscaler in its stored form. */
export function checkAutoscaler({ spec = {}, status = {} }: Decoded<StoredAutoscaler>, subresource: string): Errors {
  const errors: Errors = [];
  if (subresource === "status") checkNotNegative(status, ["currentReplicas", "desiredReplicas"], "status", errors);
  else checkSpec(spec, errors);
  return errors;
}

function checkSpec(spec: Decoded<HorizontalPodAutoscalerSpec>, errors: Errors): void {
  const { minReplicas: min, maxReplicas: max = 0, scaleTargetRef: target = {}, metrics = [], behavior = {} } = spec;
  if (min !== undefined && min < 1) errors.push(invalid("spec.minReplicas", min, "must be greater than or equal to 1"));
  if (max === 0) errors.push(required("spec.maxReplicas", "must be set and greater than 0"));
  else if (max < 0) errors.push(invalid("spec.maxReplicas", max, "must be greater than or equal to 1"));
  if (min !== undefined && max < min)
    errors.push(invalid("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`"));
  // ReplicationController is the only scalable kind of the core group.
  checkReference(target, "spec.scaleTargetRef", target.kind === "ReplicationController", errors);
  for (const [metric, at] of entriesAt(spec, "metrics", "spec")) checkMetric(metric, at, errors);
  if (min === 0 && !metrics.some(({ type }) => type === "Object" || type === "External"))
    errors.push(
      forbidden(
        "spec.metrics",
        "must specify at least one Object or External metric to support scaling to zero replicas",
      ),
    );
  for (const key of ["scaleUp", "scaleDown"] as const) {
    const rules = behavior[key];
    if (rules) checkRules(rules, `spec.behavior.${key}`, errors);
  }
}

function checkReference(
  { kind = "", name = "", apiVersion = "" }: Decoded<CrossVersionObjectReference>,
  field: string,
  mayLackGroup: boolean,
  errors: Errors,
): void {
  checkRequiredName(kind, pathSegmentName, `${field}.kind`, errors);
  checkRequiredName(name, pathSegmentName, `${field}.name`, errors);
  const slashes = apiVersion.split("/").length - 1;
  if (slashes > 1)
    errors.push(invalid(`${field}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  else if (!mayLackGroup && (slashes === 0 || apiVersion.startsWith("/")))
    errors.push(invalid(`${field}.apiVersion`, apiVersion, "apiVersion must specify API group"));
}

function checkRules(rules: Decoded<HPAScalingRules>, field: string, errors: Errors): void {
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [], tolerance } = rules;
  const at = `${field}.stabilizationWindowSeconds`;
  if (window < 0) errors.push(invalid(at, window, "must be greater than or equal to zero"));
  if (window > 3600) errors.push(invalid(at, window, "must be less than or equal to 3600"));
  checkOptionalEnum(selectPolicy, ["Disabled", "Max", "Min"], `${field}.selectPolicy`, errors);
  if (policies.length === 0) errors.push(required(`${field}.policies`, "must specify at least one Policy"));
  for (const [{ type = "", value = 0, periodSeconds = 0 }, place] of entriesAt(rules, "policies", field)) {
    checkOptionalEnum(type, ["Percent", "Pods"], `${place}.type`, errors);
    if (value <= 0) errors.push(invalid(`${place}.value`, value, "must be greater than zero"));
    if (periodSeconds <= 0) errors.push(invalid(`${place}.periodSeconds`, periodSeconds, "must be greater than zero"));
    if (periodSeconds > 1800)
      errors.push(invalid(`${place}.periodSeconds`, periodSeconds, "must be less than or equal to 1800"));
  }
  if (tolerance !== undefined && quantityOf(tolerance).sign < 0)
    errors.push(invalid(`${field}.tolerance`, tolerance, notNegative));
}

const sourceTypes = ["ContainerResource", "External", "Object", "Pods", "Resource"];

/** The fields of a metric, of which one holds its source. */
export const sourceKeys = ["object", "external", "pods", "resource", "containerResource"] as const;

function checkMetric(metric: Decoded<MetricSpec>, field: string, errors: Errors): void {
  const { type = "", object, external, pods, resource, containerResource } = metric;
  if (type === "") errors.push(required(`${field}.type`, "must specify a metric source type"));
  if (object) checkObject(object, `${field}.object`, errors);
  else if (external) checkExternal(external, `${field}.external`, errors);
  else if (pods) checkPods(pods, `${field}.pods`, errors);
  else if (resource) checkResource(resource, `${field}.resource`, errors);
  else if (containerResource) checkContainerResource(containerResource, `${field}.containerResource`, errors);
  const found: readonly string[] = sourceKeys.filter((key) => metric[key]);
  const expected = type.slice(0, 1).toLowerCase() + type.slice(1);
  if (!sourceTypes.includes(type)) errors.push(notSupported(`${field}.type`, type, sourceTypes));
  else if (!found.includes(expected))
    errors.push(required(`${field}.${expected}`, "must populate information for the given metric source"));
  if (found.length !== 1)
    for (const key of found.filter((one) => one !== expected))
      errors.push(forbidden(`${field}.${key}`, "must populate the given metric source only"));
}

function checkObject(source: Decoded<ObjectMetricSource>, field: string, errors: Errors): void {
  const { describedObject = {}, metric = {}, target = {} } = source;
  checkReference(describedObject, `${field}.describedObject`, true, errors);
  checkMetricName(metric, field, errors);
  checkTarget(target, `${field}.target`, errors);
  if (target.value === undefined && target.averageValue === undefined)
    errors.push(required(`${field}.target.averageValue`, "must set either a target value or averageValue"));
}

function checkExternal(source: Decoded<ExternalMetricSource>, field: string, errors: Errors): void {
  const { metric = {}, target = {} } = source;
  const { value, averageValue } = target;
  checkMetricName(metric, field, errors);
  checkTarget(target, `${field}.target`, errors);
  if (value === undefined && averageValue === undefined)
    errors.push(
      required(`${field}.target.averageValue`, "must set either a target value for metric or a per-pod target"),
    );
  if (value !== undefined && averageValue !== undefined)
    errors.push(forbidden(`${field}.target.value`, "may not set both a target value for metric and a per-pod target"));
}

function checkPods({ metric = {}, target = {} }: Decoded<PodsMetricSource>, field: string, errors: Errors): void {
  checkMetricName(metric, field, errors);
  checkTarget(target, `${field}.target`, errors);
  if (target.averageValue === undefined)
    errors.push(required(`${field}.target.averageValue`, "must specify a positive target averageValue"));
}

function checkMetricName({ name = "" }: Decoded<MetricIdentifier>, field: string, errors: Errors): void {
  if (name === "") errors.push(required(`${field}.metric.name`, "must specify a metric name"));
  else checkName(name, pathSegmentName, `${field}.metric.name`, errors);
}

function checkContainerResource(source: Decoded<ContainerResourceMetricSource>, field: string, errors: Errors): void {
  const { name = "", container = "" } = source;
  if (name !== "") checkContainerName(name, `${field}.name`, errors);
  if (container === "") errors.push(required(`${field}.container`, "must specify a container"));
  else checkName(container, labelName, `${field}.container`, errors);
  checkResource(source, field, errors);
}

function checkResource({ name, target = {} }: Decoded<ResourceMetricSource>, field: string, errors: Errors): void {
  const { averageValue, averageUtilization } = target;
  const at = `${field}.target`;
  if (!name) errors.push(required(`${field}.name`, "must specify a resource name"));
  checkTarget(target, at, errors);
  if (averageUtilization === undefined && averageValue === undefined)
    errors.push(required(`${at}.averageUtilization`, "must set either a target raw value or a target utilization"));
  if (averageUtilization !== undefined && averageValue !== undefined)
    errors.push(forbidden(`${at}.averageValue`, "may not set both a target raw value and a target utilization"));
}

function checkTarget(target: Decoded<MetricTarget>, field: string, errors: Errors): void {
  const { type = "", averageUtilization } = target;
  if (type === "") errors.push(required(`${field}.type`, "must specify a metric target type"));
  if (!["Utilization", "Value", "AverageValue"].includes(type))
    errors.push(invalid(`${field}.type`, type, "must be either Utilization, Value, or AverageValue"));
  for (const key of ["value", "averageValue"] as const) {
    const quantity = target[key];
    if (quantity !== undefined && quantityOf(quantity).sign <= 0)
      errors.push(invalid(`${field}.${key}`, quantity, "must be positive"));
  }
  if (averageUtilization !== undefined && averageUtilization < 1)
    errors.push(invalid(`${field}.averageUtilization`, averageUtilization, "must be greater than 0"));
}
