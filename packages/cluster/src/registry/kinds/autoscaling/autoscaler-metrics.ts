import { goJson, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { Quantity } from "@kubewright/core/quantity";
import type { MetricSpec, MetricStatus } from "kubewright/k8s/autoscaling/v2";
import type { Decoded } from "../../decoded.js";
import { type Draft, objectAt, partAt, sorted } from "../../draft.js";

/** The field of a metric that holds its source. */
type SourceKey = Exclude<keyof MetricSpec, "type">;

/** Target metrics of the spec, or current metrics of the status. */
type Part = "target" | "current";

/** The type of a field; `?` for optional fields. */
type FieldType = "string" | "int32?" | "quantity" | "quantity?" | "selector?" | "reference";

/** A field's name in the annotations of `autoscaling/v1`, and its path in `autoscaling/v2`. */
type Field = readonly [old: string, path: string, type: FieldType];

/** The fields of each metric type, in the order of the annotation. A current metric always has a quantity, a target need not. */
function sources(part: Part): Readonly<Record<SourceKey, readonly Field[]>> {
  const value: FieldType = part === "target" ? "quantity?" : "quantity";
  const ofResource: readonly Field[] = [
    ["name", "name", "string"],
    [`${part}AverageUtilization`, `${part}.averageUtilization`, "int32?"],
    [`${part}AverageValue`, `${part}.averageValue`, value],
  ];
  return {
    object: [
      ["target", "describedObject", "reference"],
      ["metricName", "metric.name", "string"],
      [`${part}Value`, `${part}.value`, "quantity"],
      ["selector", "metric.selector", "selector?"],
      ["averageValue", `${part}.averageValue`, "quantity?"],
    ],
    pods: [
      ["metricName", "metric.name", "string"],
      [`${part}AverageValue`, `${part}.averageValue`, "quantity"],
      ["selector", "metric.selector", "selector?"],
    ],
    resource: ofResource,
    containerResource: [...ofResource, ["container", "container", "string"]],
    external: [
      ["metricName", "metric.name", "string"],
      ["metricSelector", "metric.selector", "selector?"],
      [`${part}Value`, `${part}.value`, value],
      [`${part}AverageValue`, `${part}.averageValue`, "quantity?"],
    ],
  };
}

const sourcesOf = { target: sources("target"), current: sources("current") };

/** Metrics of `autoscaling/v2` in the format of the `autoscaling/v1` annotation. */
export function metricsAnnotation(metrics: readonly Decoded<MetricSpec | MetricStatus>[], part: Part): string {
  return goJson(metrics.map((metric) => metricToV1(metric, part)));
}

function metricToV1(metric: Decoded<MetricSpec | MetricStatus>, part: Part): JsonObject {
  const result: Draft = { type: metric.type ?? "" };
  for (const [key, fields] of Object.entries(sourcesOf[part])) {
    const source = partAt(metric, key);
    if (!source) continue;
    const converted: Draft = {};
    for (const [old, path, type] of fields) {
      const value = encode(at(source, path), type);
      if (value !== undefined) converted[old] = value;
    }
    result[key] = converted;
  }
  return result;
}

function at(source: JsonObject, path: string): JsonValue | undefined {
  const [first = "", second] = path.split(".");
  return second === undefined ? source[first] : objectAt(source, first)[second];
}

function encode(value: JsonValue | undefined, type: FieldType): Draft[string] | undefined {
  if (type === "string") return typeof value === "string" ? value : "";
  if (type === "quantity") return value === undefined || value === null ? "0" : (value as Draft[string]);
  if (type === "reference") return inOrder(isJsonObject(value) ? value : {}, ["kind", "name", "apiVersion"]);
  if (value === undefined || value === null) return undefined;
  if (type !== "selector?" || !isJsonObject(value)) return value as Draft[string];
  return inOrder({ ...value, ...labelsOf(value) }, ["matchLabels", "matchExpressions"]);
}

function labelsOf({ matchLabels }: JsonObject): JsonObject {
  return matchLabels === undefined ? {} : { matchLabels: sorted(matchLabels) };
}

function inOrder(object: JsonObject, keys: readonly string[]): Draft {
  return Object.fromEntries(keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]])) as Draft;
}

/** The inverse of {@link metricsAnnotation}; undefined for a string that is not a list of metrics. */
export function metricsFrom(annotation: string | undefined, part: Part): Draft[] | undefined {
  const list = parsed(annotation);
  if (!Array.isArray(list)) return undefined;
  const metrics = (list as readonly JsonValue[]).map((item) => metricFromV1(item ?? {}, part));
  return metrics.every((metric) => metric !== undefined) ? metrics : undefined;
}

function metricFromV1(metric: JsonValue, part: Part): Draft | undefined {
  if (!isJsonObject(metric)) return undefined;
  const type = named(metric, "type") ?? "";
  if (typeof type !== "string") return undefined;
  const result: Draft = { type };
  for (const [key, fields] of Object.entries(sourcesOf[part])) {
    const old = named(metric, key);
    if (old === undefined || old === null) continue;
    const source = isJsonObject(old) ? sourceFromV1(old, fields) : undefined;
    if (source === undefined) return undefined;
    if (part === "target") setTargetType(key, source["target"] as Draft);
    result[key] = source;
  }
  return result;
}

function sourceFromV1(old: JsonObject, fields: readonly Field[]): Draft | undefined {
  const result: Draft = {};
  for (const [name, path, type] of fields) {
    const given = named(old, name) ?? undefined;
    const value = given === undefined ? unset[type] : decode(given, type);
    if (value === undefined && given !== undefined) return undefined;
    const [first = "", second] = path.split(".");
    if (second === undefined) result[first] = value ?? null;
    else {
      const inner = (result[first] ?? {}) as Draft;
      if (value !== undefined) inner[second] = value;
      result[first] = inner;
    }
  }
  return result;
}

/** The value of an absent field. */
const unset: Readonly<Record<FieldType, Draft[string] | undefined>> = {
  string: "",
  quantity: "0",
  reference: { kind: "", name: "" },
  "quantity?": undefined,
  "int32?": undefined,
  "selector?": undefined,
};

/** The decoded value; undefined for a wrong type. */
function decode(value: JsonValue, type: FieldType): Draft[string] | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" ? value : undefined;
    case "int32?":
      return isInt32(value) ? value : undefined;
    case "quantity":
    case "quantity?":
      return quantityFrom(value);
    case "reference":
      return isJsonObject(value) ? { kind: "", name: "", ...(value as Draft) } : undefined;
    case "selector?":
      return isJsonObject(value) ? (value as Draft) : undefined;
    default:
      return type satisfies never;
  }
}

/** Whether a value is an int32. */
export function isInt32(value: JsonValue): value is number {
  return typeof value === "number" && (value | 0) === value;
}

/** The canonical quantity; undefined for an invalid one. */
export function quantityFrom(value: JsonValue): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  try {
    return Quantity.parse(String(value)).toString();
  } catch {
    return undefined;
  }
}

/** Sets the type of a target, which its fields determine. */
function setTargetType(key: string, target: Draft): void {
  const isAverage =
    key === "external"
      ? target["value"] === undefined
      : key === "pods" || (key === "object" ? target["averageValue"] !== undefined : true);
  target["type"] = target["averageUtilization"] !== undefined ? "Utilization" : isAverage ? "AverageValue" : "Value";
  // The annotation always has a value.
  if (key === "object" && isAverage && target["value"] === "0") delete target["value"];
}

/** The field with this name, case-insensitive as in Go's decoder. */
export function named(object: JsonObject, name: string): JsonValue | undefined {
  if (Object.hasOwn(object, name)) return object[name];
  const key = Object.keys(object).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : object[key];
}

/** The value of a JSON string; undefined for invalid JSON. */
export function parsed(json: string | undefined): JsonValue | undefined {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined;
  }
}
