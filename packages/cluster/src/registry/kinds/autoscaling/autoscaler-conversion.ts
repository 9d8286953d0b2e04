import { goJson, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { HorizontalPodAutoscaler as AutoscalerV1 } from "kubewright/k8s/autoscaling/v1";
import type {
  HorizontalPodAutoscalerCondition as Condition,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
  MetricSpec,
  MetricStatus,
} from "kubewright/k8s/autoscaling/v2";
import { countOf } from "../../columns.js";
import type { Decoded, Drafted } from "../../decoded.js";
import { behaviorAnnotation, behaviorFrom } from "./autoscaler-behavior.js";
import { metricsAnnotation, metricsFrom, named, parsed } from "./autoscaler-metrics.js";

/** HorizontalPodAutoscaler of `autoscaling/v2` in its stored form: the currentMetrics of a status without metrics are null. */
export type StoredAutoscaler = Omit<HorizontalPodAutoscaler, "status"> & {
  readonly status?: Omit<HorizontalPodAutoscalerStatus, "currentMetrics"> & {
    readonly currentMetrics?: MetricStatus[] | null;
  };
};

const prefix = "autoscaling.alpha.kubernetes.io/";

/** The `autoscaling/v1` annotations for fields that only `autoscaling/v2` has. */
const annotations = {
  metrics: `${prefix}metrics`,
  behavior: `${prefix}behavior`,
  conditions: `${prefix}conditions`,
  currentMetrics: `${prefix}current-metrics`,
} as const;

/** Annotations that only the server sets. */
const reservedAnnotations: readonly string[] = [
  ...Object.values(annotations),
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
];

const conditionFields: readonly (keyof Condition)[] = ["type", "status", "lastTransitionTime", "reason", "message"];

function isCpuUtilization(metric: Decoded<MetricSpec>): boolean {
  return isCpu(metric) && metric.resource?.target?.averageUtilization !== undefined;
}

function isCpu({ type, resource }: Decoded<MetricSpec | MetricStatus>): boolean {
  return type === "Resource" && resource?.name === "cpu";
}

/** Caches the v2 form of v1 objects: annotations cannot hold all of it. */
const v2Forms = new WeakMap<Decoded<AutoscalerV1>, Decoded<StoredAutoscaler>>();

/** Caches the v2 form of a v1 object that will not change. */
export function cacheV2Form(old: Decoded<AutoscalerV1>, stored: Decoded<StoredAutoscaler>): void {
  v2Forms.set(old, stored);
}

/** Converts a stored HorizontalPodAutoscaler (`autoscaling/v2`) to `autoscaling/v1`. */
export function autoscalerFromV2(stored: Decoded<StoredAutoscaler>): Decoded<AutoscalerV1> {
  const result = toV1(stored);
  cacheV2Form(result, stored);
  return result;
}

function toV1(stored: Decoded<StoredAutoscaler>): Decoded<AutoscalerV1> {
  const { metrics = [], behavior, ...spec } = stored.spec ?? {};
  const { currentMetrics, conditions = [], ...status } = stored.status ?? {};
  const current = currentMetrics ?? [];
  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  const v1Annotations: Record<string, string> = {};
  if (others.length > 0) v1Annotations[annotations.metrics] = metricsAnnotation(others, "target");
  if (current.length > 0) v1Annotations[annotations.currentMetrics] = metricsAnnotation(current, "current");
  if (behavior) v1Annotations[annotations.behavior] = behaviorAnnotation(behavior);
  if (conditions.length > 0) v1Annotations[annotations.conditions] = goJson(conditions.map(conditionFrom));
  const utilization = metrics.find(isCpuUtilization)?.resource?.target?.averageUtilization;
  const used = current
    .filter(isCpu)
    .map((metric) => metric.resource?.current?.averageUtilization)
    .findLast((value) => value !== undefined);
  return {
    ...stored,
    apiVersion: "autoscaling/v1",
    metadata: withAnnotations(stored.metadata ?? {}, v1Annotations),
    spec: { ...spec, ...(utilization === undefined ? {} : { targetCPUUtilizationPercentage: utilization }) },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...status,
      ...(used === undefined ? {} : { currentCPUUtilizationPercentage: used }),
    },
  };
}

type Metadata = Decoded<AutoscalerV1["metadata"]>;

/** The metadata with only these reserved annotations. */
function withAnnotations(metadata: Metadata, v1Annotations: Readonly<Record<string, string>>): Metadata {
  const { annotations: given = {}, ...rest } = metadata;
  const others = Object.entries(given).filter(([key]) => !reservedAnnotations.includes(key));
  const all = { ...Object.fromEntries(others), ...v1Annotations };
  return countOf(all) > 0 ? { ...rest, annotations: all } : rest;
}

/** A condition with the fields of the annotation, in their order. */
function conditionFrom(condition: JsonObject): JsonObject {
  return Object.fromEntries(
    conditionFields.flatMap((field) => {
      const value = named(condition, field) ?? (field === "lastTransitionTime" ? null : "");
      return value === "" && (field === "reason" || field === "message") ? [] : [[field, value]];
    }),
  );
}

function conditionsFrom(annotation: string | undefined): readonly Decoded<Condition>[] {
  const list = parsed(annotation);
  if (!Array.isArray(list)) return [];
  const conditions = (list as readonly JsonValue[]).map((item) => item ?? {});
  const isValid = (item: JsonValue): item is JsonObject =>
    isJsonObject(item) && conditionFields.every((field) => typeof (named(item, field) ?? "") === "string");
  return conditions.every(isValid) ? conditions.map(conditionFrom) : [];
}

/** The inverse of {@link autoscalerFromV2}. Without a metric the default CPU utilization applies. */
export function autoscalerToV2(object: Decoded<AutoscalerV1>): Decoded<StoredAutoscaler> {
  const metadata = withAnnotations(object.metadata ?? {}, {});
  const known = v2Forms.get(object);
  // The server changes the metadata after the v2 form is cached.
  if (known) return { ...known, metadata };
  const { targetCPUUtilizationPercentage: utilization, ...spec } = object.spec ?? {};
  const { currentCPUUtilizationPercentage: used, currentReplicas = 0, ...status } = object.status ?? {};
  const { annotations: v1Annotations = {} } = object.metadata ?? {};
  const behavior = behaviorFrom(v1Annotations[annotations.behavior]);
  const conditions = conditionsFrom(v1Annotations[annotations.conditions]);
  const metrics: Decoded<MetricSpec>[] = metricsFrom(v1Annotations[annotations.metrics], "target") ?? [];
  if (utilization !== undefined || metrics.length === 0)
    metrics.push({
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: utilization ?? 80 } },
    });
  const current: readonly Decoded<MetricStatus>[] =
    metricsFrom(v1Annotations[annotations.currentMetrics], "current") ??
    (used === undefined
      ? []
      : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: used } } }]);
  return {
    ...object,
    apiVersion: "autoscaling/v2",
    metadata,
    spec: { ...spec, metrics, ...(behavior ? { behavior } : {}) },
    status: {
      desiredReplicas: 0,
      ...status,
      ...(currentReplicas === 0 ? {} : { currentReplicas }),
      ...(conditions.length > 0 ? { conditions } : {}),
      currentMetrics: current.length > 0 ? current : null,
    },
  };
}

/** Removes the reserved annotations, in place: only `autoscaling/v1` has them. */
export function dropReservedAnnotations({ metadata }: Drafted<StoredAutoscaler>): void {
  const found = reservedAnnotations.filter((key) => metadata?.annotations?.[key] !== undefined);
  if (!metadata?.annotations || found.length === 0) return;
  for (const key of found) delete metadata.annotations[key];
  if (countOf(metadata.annotations) === 0) delete metadata.annotations;
}
