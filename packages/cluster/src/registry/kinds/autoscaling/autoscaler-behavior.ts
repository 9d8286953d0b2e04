import { goJson, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Draft } from "../../draft.js";
import { amountOf, isCount, named, parsed } from "./autoscaler-metrics.js";

type FieldType = "text" | "count" | "amount" | "policies";

const rulesFields: readonly (readonly [name: string, type: FieldType])[] = [
  ["stabilizationWindowSeconds", "count"],
  ["selectPolicy", "text"],
  ["policies", "policies"],
  ["tolerance", "amount"],
];
const policyFields: typeof rulesFields = [
  ["type", "text"],
  ["value", "count"],
  ["periodSeconds", "count"],
];

/** The behavior as the annotation of `autoscaling/v1` holds it: with the field names of Go. */
export function behaviorText(behavior: JsonObject): string {
  const rules = ["scaleUp", "scaleDown"].map((key) => [capital(key), annotated(behavior[key], rulesFields)]);
  return goJson(Object.fromEntries(rules));
}

function annotated(object: JsonValue | undefined, fields: typeof rulesFields): JsonObject | null {
  if (!isJsonObject(object)) return null;
  return Object.fromEntries(
    fields.map(([field]) => {
      const value = object[field] ?? null;
      const isList = field === "policies" && Array.isArray(value);
      return [
        capital(field),
        isList ? (value as readonly JsonValue[]).map((policy) => annotated(policy, policyFields)) : value,
      ];
    }),
  );
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** The inverse of {@link behaviorText}; undefined for an invalid or empty one. */
export function behaviorFrom(text: JsonValue | undefined): Draft | undefined {
  const value = parsed(text);
  if (!isJsonObject(value)) return undefined;
  const result: Draft = {};
  for (const key of ["scaleUp", "scaleDown"]) {
    const given = named(value, key) ?? null;
    if (given === null) continue;
    const rules = read(given, rulesFields);
    if (rules === undefined) return undefined;
    result[key] = rules;
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

function read(value: JsonValue, fields: typeof rulesFields): Draft | undefined {
  if (!isJsonObject(value)) return undefined;
  const result: Draft = fields === policyFields ? { type: "", value: 0, periodSeconds: 0 } : {};
  for (const [field, type] of fields) {
    const given = named(value, field) ?? null;
    if (given === null) continue;
    const found = readField(given, type);
    if (found === undefined) return undefined;
    result[field] = found;
  }
  return result;
}

function readField(value: JsonValue, type: FieldType): Draft[string] | undefined {
  switch (type) {
    case "text":
      return typeof value === "string" ? value : undefined;
    case "count":
      return isCount(value) ? value : undefined;
    case "amount":
      return amountOf(value);
    case "policies": {
      if (!Array.isArray(value)) return undefined;
      const policies = (value as readonly JsonValue[]).map((policy) => read(policy ?? {}, policyFields));
      return policies.includes(undefined) ? undefined : (policies as Draft[]);
    }
    default:
      return type satisfies never;
  }
}
