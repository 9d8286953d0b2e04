import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { type Draft, type DraftValue, listAt, metadataOf, objectAt, textAt } from "../draft.js";

/** Where `autoscaling/v1` keeps what it has no fields for. */
const annotations = {
  metrics: "autoscaling.alpha.kubernetes.io/metrics",
  behavior: "autoscaling.alpha.kubernetes.io/behavior",
  conditions: "autoscaling.alpha.kubernetes.io/conditions",
  currentMetrics: "autoscaling.alpha.kubernetes.io/current-metrics",
} as const;

function isCpuShare(metric: JsonObject): boolean {
  const resource = objectAt(metric, "resource");
  const share = objectAt(resource, "target")["averageUtilization"];
  return textAt(metric, "type") === "Resource" && textAt(resource, "name") === "cpu" && typeof share === "number";
}

function without(object: JsonObject, keys: readonly string[]): Draft {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key))) as Draft;
}

/** A stored autoscaler (as `autoscaling/v2`) in the form of `autoscaling/v1`. */
export function autoscalerFromV2(stored: JsonObject): JsonObject {
  const spec = objectAt(stored, "spec");
  const status = objectAt(stored, "status");
  const metrics = listAt(spec, "metrics").filter(isJsonObject);
  const cpu = metrics.find(isCpuShare);
  const others = metrics.filter((metric) => metric !== cpu);
  const current = listAt(status, "currentMetrics")
    .filter(isJsonObject)
    .find((metric) => isCurrentCpu(metric));
  const notes: Record<string, string> = {};
  if (others.length > 0) notes[annotations.metrics] = JSON.stringify(others.map(metricToV1));
  if (isJsonObject(spec["behavior"])) notes[annotations.behavior] = behaviorText(spec["behavior"]);
  if (listAt(status, "conditions").length > 0)
    notes[annotations.conditions] = JSON.stringify(listAt(status, "conditions"));
  const share = cpu && objectAt(objectAt(cpu, "resource"), "target")["averageUtilization"];
  const used = current && objectAt(objectAt(current, "resource"), "current")["averageUtilization"];
  const metadata = { ...(metadataOf(stored) as Draft) };
  if (Object.keys(notes).length > 0)
    metadata["annotations"] = { ...(objectAt(metadata, "annotations") as Draft), ...notes };
  return {
    ...stored,
    apiVersion: "autoscaling/v1",
    metadata,
    spec: {
      ...without(spec, ["metrics", "behavior"]),
      ...(share === undefined ? {} : { targetCPUUtilizationPercentage: share }),
    },
    status: {
      currentReplicas: 0,
      ...without(status, ["currentMetrics", "conditions"]),
      ...(used === undefined ? {} : { currentCPUUtilizationPercentage: used }),
    },
  };
}

function isCurrentCpu(metric: JsonObject): boolean {
  const resource = objectAt(metric, "resource");
  const used = objectAt(resource, "current")["averageUtilization"];
  return textAt(resource, "name") === "cpu" && typeof used === "number";
}

/** The inverse of {@link autoscalerFromV2}. */
export function autoscalerToV2(object: JsonObject): JsonObject {
  const spec = objectAt(object, "spec");
  const status = objectAt(object, "status");
  const notes = objectAt(metadataOf(object), "annotations");
  const others = parsed(notes[annotations.metrics]);
  const behavior = behaviorFrom(parsed(notes[annotations.behavior]));
  const conditions = parsed(notes[annotations.conditions]);
  const share = spec["targetCPUUtilizationPercentage"];
  const used = status["currentCPUUtilizationPercentage"];
  const metrics: DraftValue[] = [];
  if (typeof share === "number")
    metrics.push({
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: share } },
    });
  if (Array.isArray(others)) metrics.push(...others.filter(isJsonObject).map((metric) => metricToV2(metric) as Draft));
  const metadata = { ...(metadataOf(object) as Draft) };
  const kept = without(notes, Object.values(annotations));
  if (Object.keys(kept).length > 0) metadata["annotations"] = kept;
  else delete metadata["annotations"];
  return {
    ...object,
    apiVersion: "autoscaling/v2",
    metadata,
    spec: {
      ...without(spec, ["targetCPUUtilizationPercentage"]),
      ...(metrics.length > 0 ? { metrics } : {}),
      ...(isJsonObject(behavior) ? { behavior } : {}),
    },
    status: {
      ...without(status, [
        "currentCPUUtilizationPercentage",
        ...(status["currentReplicas"] === 0 ? ["currentReplicas"] : []),
      ]),
      ...(Array.isArray(conditions) ? { conditions } : {}),
      currentMetrics:
        typeof used === "number"
          ? [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: used } } }]
          : null,
    },
  };
}

const rulesFields = ["stabilizationWindowSeconds", "selectPolicy", "policies", "tolerance"];
const policyFields = ["type", "value", "periodSeconds"];

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** The behaviour as the annotation has it: by the names of the server's own types, in their order. */
function behaviorText(behavior: JsonObject): string {
  const told = (object: JsonObject, fields: readonly string[]): [string, JsonValue][] =>
    fields.map((field) => {
      const value = object[field] ?? null;
      if (field !== "policies" || !Array.isArray(value)) return [capital(field), value];
      return [
        "Policies",
        (value as readonly JsonValue[])
          .filter(isJsonObject)
          .map((policy) => Object.fromEntries(told(policy, policyFields))),
      ];
    });
  const rules = ["scaleUp", "scaleDown"].map((key) => {
    const part = behavior[key];
    return [capital(key), isJsonObject(part) ? Object.fromEntries(told(part, rulesFields)) : null];
  });
  return JSON.stringify(Object.fromEntries(rules));
}

/** The inverse of {@link behaviorText}. */
function behaviorFrom(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => behaviorFrom(item) ?? null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key.slice(0, 1).toLowerCase() + key.slice(1), behaviorFrom(inner) ?? null]),
  );
}

function parsed(text: JsonValue | undefined): JsonValue | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The name of the part of a metric that belongs to its type. */
function partOf(metric: JsonObject): string {
  const type = textAt(metric, "type");
  return type.slice(0, 1).toLowerCase() + type.slice(1);
}

function metricToV1(metric: JsonObject): JsonObject {
  const key = partOf(metric);
  const part = objectAt(metric, key);
  const target = objectAt(part, "target");
  const identity = objectAt(part, "metric");
  const entries: [string, JsonValue | undefined][] = [
    ["name", part["name"]],
    ["container", part["container"]],
    ["target", part["describedObject"]],
    ["metricName", identity["name"]],
    [key === "external" ? "metricSelector" : "selector", identity["selector"]],
    ["targetValue", target["value"]],
    ["targetAverageUtilization", target["averageUtilization"]],
    [key === "object" ? "averageValue" : "targetAverageValue", target["averageValue"]],
  ];
  return { type: textAt(metric, "type"), [key]: Object.fromEntries(entries.filter(isGiven)) };
}

function metricToV2(metric: JsonObject): JsonObject {
  const key = partOf(metric);
  const part = objectAt(metric, key);
  const average = part["targetAverageValue"] ?? part["averageValue"];
  const share = part["targetAverageUtilization"];
  const target: [string, JsonValue | undefined][] = [
    ["type", share !== undefined ? "Utilization" : average !== undefined ? "AverageValue" : "Value"],
    ["value", part["targetValue"]],
    ["averageUtilization", share],
    ["averageValue", average],
  ];
  const identity: [string, JsonValue | undefined][] = [
    ["name", part["metricName"]],
    ["selector", part["metricSelector"] ?? part["selector"]],
  ];
  const hasIdentity = part["metricName"] !== undefined;
  const entries: [string, JsonValue | undefined][] = [
    ["name", part["name"]],
    ["container", part["container"]],
    ["describedObject", part["target"]],
    ["metric", hasIdentity ? Object.fromEntries(identity.filter(isGiven)) : undefined],
    ["target", Object.fromEntries(target.filter(isGiven))],
  ];
  return { type: textAt(metric, "type"), [key]: Object.fromEntries(entries.filter(isGiven)) };
}

function isGiven(entry: [string, JsonValue | undefined]): entry is [string, JsonValue] {
  return entry[1] !== undefined;
}
