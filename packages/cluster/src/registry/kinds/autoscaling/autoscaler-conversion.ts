import { goJson, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { type Draft, listAt, metadataOf, objectAt, textAt } from "../../draft.js";
import { behaviorFrom, behaviorText } from "./autoscaler-behavior.js";
import { metricsFrom, metricsText, named, parsed } from "./autoscaler-metrics.js";

const prefix = "autoscaling.alpha.kubernetes.io/";

/** The annotations of `autoscaling/v1` for what it has no fields for. */
const annotations = {
  metrics: `${prefix}metrics`,
  behavior: `${prefix}behavior`,
  conditions: `${prefix}conditions`,
  currentMetrics: `${prefix}current-metrics`,
} as const;

/** Annotations that belong to the server alone. */
const reservedNotes: readonly string[] = [
  ...Object.values(annotations),
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
];

const conditionFields = ["type", "status", "lastTransitionTime", "reason", "message"];

function isCpuShare(metric: JsonObject): boolean {
  return isOfCpu(metric) && typeof cpuPart(metric, "target") === "number";
}

function isOfCpu(metric: JsonObject): boolean {
  return textAt(metric, "type") === "Resource" && textAt(objectAt(metric, "resource"), "name") === "cpu";
}

function cpuPart(metric: JsonObject | undefined, part: "target" | "current"): JsonValue | undefined {
  return metric && objectAt(objectAt(metric, "resource"), part)["averageUtilization"];
}

function without(object: JsonObject, keys: readonly string[]): Draft {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key))) as Draft;
}

/** The v2 form of v1 objects: annotations do not hold all of it. */
const newForms = new WeakMap<JsonObject, JsonObject>();

/** Remembers the v2 form of a v1 object that does not change any more. */
export function keepNewForm(old: JsonObject, stored: JsonObject): void {
  newForms.set(old, stored);
}

/** Converts a stored HorizontalPodAutoscaler (`autoscaling/v2`) to `autoscaling/v1`. */
export function autoscalerFromV2(stored: JsonObject): JsonObject {
  const result = inOldForm(stored);
  keepNewForm(result, stored);
  return result;
}

function inOldForm(stored: JsonObject): JsonObject {
  const spec = objectAt(stored, "spec");
  const status = objectAt(stored, "status");
  const metrics = listAt(spec, "metrics").filter(isJsonObject);
  const current = listAt(status, "currentMetrics").filter(isJsonObject);
  const conditions = listAt(status, "conditions").filter(isJsonObject);
  const others = metrics.filter((metric) => !isCpuShare(metric));
  const notes: Record<string, string> = {};
  if (others.length > 0) notes[annotations.metrics] = metricsText(others, "wanted");
  if (current.length > 0) notes[annotations.currentMetrics] = metricsText(current, "seen");
  if (isJsonObject(spec["behavior"])) notes[annotations.behavior] = behaviorText(spec["behavior"]);
  if (conditions.length > 0) notes[annotations.conditions] = goJson(conditions.map(conditionToV1));
  const share = cpuPart(metrics.find(isCpuShare), "target");
  const used = current
    .filter(isOfCpu)
    .map((metric) => cpuPart(metric, "current"))
    .findLast((value) => value !== undefined);
  return {
    ...stored,
    apiVersion: "autoscaling/v1",
    metadata: withNotes(metadataOf(stored), notes),
    spec: {
      ...without(spec, ["metrics", "behavior"]),
      ...(share === undefined ? {} : { targetCPUUtilizationPercentage: share }),
    },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...without(status, ["currentMetrics", "conditions"]),
      ...(used === undefined ? {} : { currentCPUUtilizationPercentage: used }),
    },
  };
}

/** The metadata with these of the reserved annotations only. */
function withNotes(metadata: JsonObject, notes: JsonObject): Draft {
  const result = { ...(metadata as Draft) };
  const all = { ...without(objectAt(metadata, "annotations"), reservedNotes), ...(notes as Draft) };
  if (Object.keys(all).length > 0) result["annotations"] = all;
  else delete result["annotations"];
  return result;
}

function conditionToV1(condition: JsonObject): JsonObject {
  return Object.fromEntries(
    conditionFields.flatMap((field) => {
      const value = condition[field] ?? (field === "lastTransitionTime" ? null : "");
      return value === "" && (field === "reason" || field === "message") ? [] : [[field, value]];
    }),
  );
}

function conditionsFrom(text: JsonValue | undefined): Draft[] | undefined {
  const list = parsed(text);
  if (!Array.isArray(list)) return undefined;
  const conditions = (list as readonly JsonValue[]).map((item) => item ?? {});
  const isSound = (item: JsonValue): item is JsonObject =>
    isJsonObject(item) && conditionFields.every((field) => typeof (named(item, field) ?? "") === "string");
  if (!conditions.every(isSound)) return undefined;
  return conditions.map((item) =>
    Object.fromEntries(
      conditionFields.flatMap((field) => {
        const value = (named(item, field) ?? (field === "lastTransitionTime" ? null : "")) as string | null;
        return value === "" && (field === "reason" || field === "message") ? [] : [[field, value]];
      }),
    ),
  );
}

function cpuMetric(part: "target" | "current", share: number): Draft {
  const value: Draft = { averageUtilization: share };
  if (part === "target") value["type"] = "Utilization";
  return { type: "Resource", resource: { name: "cpu", [part]: value } };
}

/** The inverse of {@link autoscalerFromV2}. Without a metric the default CPU utilization applies. */
export function autoscalerToV2(object: JsonObject): JsonObject {
  const known = newForms.get(object);
  // The server sets these metadata later.
  if (known) return { ...known, metadata: withNotes(metadataOf(object), {}) };
  const spec = objectAt(object, "spec");
  const status = objectAt(object, "status");
  const notes = objectAt(metadataOf(object), "annotations");
  const behavior = behaviorFrom(notes[annotations.behavior]);
  const conditions = conditionsFrom(notes[annotations.conditions]) ?? [];
  const share = spec["targetCPUUtilizationPercentage"];
  const used = status["currentCPUUtilizationPercentage"];
  const metrics = metricsFrom(notes[annotations.metrics], "wanted") ?? [];
  if (typeof share === "number") metrics.push(cpuMetric("target", share));
  if (metrics.length === 0) metrics.push(cpuMetric("target", 80));
  const fallback = typeof used === "number" ? [cpuMetric("current", used)] : [];
  const current = metricsFrom(notes[annotations.currentMetrics], "seen") ?? fallback;
  const isIdle = status["currentReplicas"] === 0;
  return {
    ...object,
    apiVersion: "autoscaling/v2",
    metadata: withNotes(metadataOf(object), {}),
    spec: {
      ...without(spec, ["targetCPUUtilizationPercentage"]),
      metrics,
      ...(behavior === undefined ? {} : { behavior }),
    },
    status: {
      desiredReplicas: 0,
      ...without(status, ["currentCPUUtilizationPercentage", ...(isIdle ? ["currentReplicas"] : [])]),
      ...(conditions.length > 0 ? { conditions } : {}),
      currentMetrics: current.length > 0 ? current : null,
    },
  };
}

/** Removes the reserved annotations, in place: only `autoscaling/v1` has them. */
export function dropReservedNotes(draft: Draft): void {
  const notes = objectAt(metadataOf(draft), "annotations");
  if (reservedNotes.some((key) => Object.hasOwn(notes, key))) draft["metadata"] = withNotes(metadataOf(draft), {});
}
