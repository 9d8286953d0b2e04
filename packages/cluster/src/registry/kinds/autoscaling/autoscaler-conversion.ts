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

/** HorizontalPodAutoscaler of `autoscaling/v2` as the server stores it: a status without metrics has null. */
export type StoredAutoscaler = Omit<HorizontalPodAutoscaler, "status"> & {
  readonly status?: Omit<HorizontalPodAutoscalerStatus, "currentMetrics"> & {
    readonly currentMetrics?: MetricStatus[] | null;
  };
};

const prefix = "autoscaling.alpha.kubernetes.io/";

/** The annotations of `autoscaling/v1` for what it has no fields for. */
const annotations = {
  metrics: `${prefix}metrics`,
  behavior: `${prefix}behavior`,
  conditions: `${prefix}conditions`,
  currentMetrics: `${prefix}current-metrics`,
} as const;

/** Annotations that only the server sets. */
const reservedNotes: readonly string[] = [
  ...Object.values(annotations),
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
];

const conditionFields: readonly (keyof Condition)[] = ["type", "status", "lastTransitionTime", "reason", "message"];

function isCpuShare(metric: Decoded<MetricSpec>): boolean {
  return isOfCpu(metric) && metric.resource?.target?.averageUtilization !== undefined;
}

function isOfCpu({ type, resource }: Decoded<MetricSpec | MetricStatus>): boolean {
  return type === "Resource" && resource?.name === "cpu";
}

/** The v2 form of v1 objects: annotations do not hold all of it. */
const newForms = new WeakMap<Decoded<AutoscalerV1>, Decoded<StoredAutoscaler>>();

/** Remembers the v2 form of a v1 object that does not change any more. */
export function keepNewForm(old: Decoded<AutoscalerV1>, stored: Decoded<StoredAutoscaler>): void {
  newForms.set(old, stored);
}

/** Converts a stored HorizontalPodAutoscaler (`autoscaling/v2`) to `autoscaling/v1`. */
export function autoscalerFromV2(stored: Decoded<StoredAutoscaler>): Decoded<AutoscalerV1> {
  const result = inOldForm(stored);
  keepNewForm(result, stored);
  return result;
}

function inOldForm(stored: Decoded<StoredAutoscaler>): Decoded<AutoscalerV1> {
  const { metrics = [], behavior, ...spec } = stored.spec ?? {};
  const { currentMetrics, conditions = [], ...status } = stored.status ?? {};
  const current = currentMetrics ?? [];
  const others = metrics.filter((metric) => !isCpuShare(metric));
  const notes: Record<string, string> = {};
  if (others.length > 0) notes[annotations.metrics] = metricsAnnotation(others, "target");
  if (current.length > 0) notes[annotations.currentMetrics] = metricsAnnotation(current, "current");
  if (behavior) notes[annotations.behavior] = behaviorAnnotation(behavior);
  if (conditions.length > 0) notes[annotations.conditions] = goJson(conditions.map(conditionFrom));
  const share = metrics.find(isCpuShare)?.resource?.target?.averageUtilization;
  const used = current
    .filter(isOfCpu)
    .map((metric) => metric.resource?.current?.averageUtilization)
    .findLast((value) => value !== undefined);
  return {
    ...stored,
    apiVersion: "autoscaling/v1",
    metadata: withNotes(stored.metadata ?? {}, notes),
    spec: { ...spec, ...(share === undefined ? {} : { targetCPUUtilizationPercentage: share }) },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...status,
      ...(used === undefined ? {} : { currentCPUUtilizationPercentage: used }),
    },
  };
}

type Metadata = Decoded<AutoscalerV1["metadata"]>;

/** The metadata with these of the reserved annotations only. */
function withNotes(metadata: Metadata, notes: Readonly<Record<string, string>>): Metadata {
  const { annotations: given = {}, ...rest } = metadata;
  const others = Object.entries(given).filter(([key]) => !reservedNotes.includes(key));
  const all = { ...Object.fromEntries(others), ...notes };
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
  const isSound = (item: JsonValue): item is JsonObject =>
    isJsonObject(item) && conditionFields.every((field) => typeof (named(item, field) ?? "") === "string");
  return conditions.every(isSound) ? conditions.map(conditionFrom) : [];
}

/** The inverse of {@link autoscalerFromV2}. Without a metric the default CPU utilization applies. */
export function autoscalerToV2(object: Decoded<AutoscalerV1>): Decoded<StoredAutoscaler> {
  const metadata = withNotes(object.metadata ?? {}, {});
  const known = newForms.get(object);
  // The server sets these metadata later.
  if (known) return { ...known, metadata };
  const { targetCPUUtilizationPercentage: share, ...spec } = object.spec ?? {};
  const { currentCPUUtilizationPercentage: used, currentReplicas = 0, ...status } = object.status ?? {};
  const { annotations: notes = {} } = object.metadata ?? {};
  const behavior = behaviorFrom(notes[annotations.behavior]);
  const conditions = conditionsFrom(notes[annotations.conditions]);
  const metrics: Decoded<MetricSpec>[] = metricsFrom(notes[annotations.metrics], "target") ?? [];
  if (share !== undefined || metrics.length === 0)
    metrics.push({
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: share ?? 80 } },
    });
  const current: readonly Decoded<MetricStatus>[] =
    metricsFrom(notes[annotations.currentMetrics], "current") ??
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
export function dropReservedNotes({ metadata }: Drafted<StoredAutoscaler>): void {
  const found = reservedNotes.filter((key) => metadata?.annotations?.[key] !== undefined);
  if (!metadata?.annotations || found.length === 0) return;
  for (const key of found) delete metadata.annotations[key];
  if (countOf(metadata.annotations) === 0) delete metadata.annotations;
}
