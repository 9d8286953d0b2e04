import { goJson, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { Quantity } from "@kubewright/core/quantity";
import { type Draft, objectAt, sorted } from "../../draft.js";

/** The type of a field, and whether it is present when unset. */
type FieldType = "text" | "count?" | "amount" | "amount?" | "selector?" | "reference";

/** A field's name in the annotations of `autoscaling/v1`, and its path in `autoscaling/v2`. */
type Field = readonly [old: string, path: string, type: FieldType];

/** The fields of each metric type, in the order of the annotation. A current metric always has a quantity, a target need not. */
function sources(amount: "target" | "current", isOptional: boolean): Readonly<Record<string, readonly Field[]>> {
  const word = (rest: string): string => amount + rest;
  const value: FieldType = isOptional ? "amount?" : "amount";
  const ofResource: readonly Field[] = [
    ["name", "name", "text"],
    [word("AverageUtilization"), `${amount}.averageUtilization`, "count?"],
    [word("AverageValue"), `${amount}.averageValue`, value],
  ];
  return {
    object: [
      ["target", "describedObject", "reference"],
      ["metricName", "metric.name", "text"],
      [word("Value"), `${amount}.value`, "amount"],
      ["selector", "metric.selector", "selector?"],
      ["averageValue", `${amount}.averageValue`, "amount?"],
    ],
    pods: [
      ["metricName", "metric.name", "text"],
      [word("AverageValue"), `${amount}.averageValue`, "amount"],
      ["selector", "metric.selector", "selector?"],
    ],
    resource: ofResource,
    containerResource: [...ofResource, ["container", "container", "text"]],
    external: [
      ["metricName", "metric.name", "text"],
      ["metricSelector", "metric.selector", "selector?"],
      [word("Value"), `${amount}.value`, value],
      [word("AverageValue"), `${amount}.averageValue`, "amount?"],
    ],
  };
}

const wanted = sources("target", true);
const seen = sources("current", false);

/** Metrics of `autoscaling/v2` as the annotation of `autoscaling/v1` has them. */
export function metricsText(metrics: readonly JsonObject[], what: "wanted" | "seen"): string {
  return goJson(metrics.map((metric) => metricToOld(metric, what === "wanted" ? wanted : seen)));
}

function metricToOld(metric: JsonObject, parts: typeof wanted): JsonObject {
  const result: Draft = { type: textOf(metric["type"]) };
  for (const [key, fields] of Object.entries(parts)) {
    const source = metric[key];
    if (!isJsonObject(source)) continue;
    const part: Draft = {};
    for (const [old, path, type] of fields) {
      const value = written(at(source, path), type);
      if (value !== undefined) part[old] = value;
    }
    result[key] = part;
  }
  return result;
}

function at(source: JsonObject, path: string): JsonValue | undefined {
  const [first = "", second] = path.split(".");
  return second === undefined ? source[first] : objectAt(source, first)[second];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function written(value: JsonValue | undefined, type: FieldType): Draft[string] | undefined {
  if (type === "text") return textOf(value);
  if (type === "amount") return value === undefined || value === null ? "0" : (value as Draft[string]);
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

/** The inverse of {@link metricsText}; undefined for a string that is no list of metrics. */
export function metricsFrom(text: JsonValue | undefined, what: "wanted" | "seen"): Draft[] | undefined {
  const list = parsed(text);
  if (!Array.isArray(list)) return undefined;
  const parts = what === "wanted" ? wanted : seen;
  const result: Draft[] = [];
  for (const item of list as readonly JsonValue[]) {
    const metric = metricFromOld(item ?? {}, parts);
    if (metric === undefined) return undefined;
    result.push(metric);
  }
  return result;
}

function metricFromOld(metric: JsonValue, parts: typeof wanted): Draft | undefined {
  if (!isJsonObject(metric)) return undefined;
  const type = named(metric, "type") ?? "";
  if (typeof type !== "string") return undefined;
  const result: Draft = { type };
  for (const [key, fields] of Object.entries(parts)) {
    const old = named(metric, key);
    if (old === undefined || old === null) continue;
    const source = isJsonObject(old) ? sourceFromOld(old, fields) : undefined;
    if (source === undefined) return undefined;
    if (parts === wanted) settleTarget(key, source["target"] as Draft);
    result[key] = source;
  }
  return result;
}

function sourceFromOld(old: JsonObject, fields: readonly Field[]): Draft | undefined {
  const result: Draft = {};
  for (const [name, path, type] of fields) {
    const given = named(old, name) ?? undefined;
    const value = given === undefined ? unset[type] : read(given, type);
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
  text: "",
  amount: "0",
  reference: { kind: "", name: "" },
  "amount?": undefined,
  "count?": undefined,
  "selector?": undefined,
};

/** The decoded value; undefined for a wrong type. */
function read(value: JsonValue, type: FieldType): Draft[string] | undefined {
  switch (type) {
    case "text":
      return typeof value === "string" ? value : undefined;
    case "count?":
      return isCount(value) ? value : undefined;
    case "amount":
    case "amount?":
      return amountOf(value);
    case "reference":
      return isJsonObject(value) ? { kind: "", name: "", ...(value as Draft) } : undefined;
    case "selector?":
      return isJsonObject(value) ? (value as Draft) : undefined;
    default:
      return type satisfies never;
  }
}

/** Whether a value is an int32. */
export function isCount(value: JsonValue): value is number {
  return typeof value === "number" && (value | 0) === value;
}

/** The canonical quantity; undefined for an invalid one. */
export function amountOf(value: JsonValue): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  try {
    return Quantity.parse(String(value)).toString();
  } catch {
    return undefined;
  }
}

/** The type of a target follows from its fields. */
function settleTarget(key: string, target: Draft): void {
  const isAverage =
    key === "external"
      ? target["value"] === undefined
      : key === "pods" || (key === "object" ? target["averageValue"] !== undefined : true);
  target["type"] = target["averageUtilization"] !== undefined ? "Utilization" : isAverage ? "AverageValue" : "Value";
  // The annotation always has it.
  if (key === "object" && isAverage && target["value"] === "0") delete target["value"];
}

/** The field of this name, in any case, as Go decodes it. */
export function named(object: JsonObject, name: string): JsonValue | undefined {
  if (Object.hasOwn(object, name)) return object[name];
  const key = Object.keys(object).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : object[key];
}

/** The value of a JSON string; undefined for invalid JSON. */
export function parsed(text: JsonValue | undefined): JsonValue | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
