import { goJson, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type {
  HorizontalPodAutoscalerBehavior as Behavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from "kubewright/k8s/autoscaling/v2";
import type { Decoded } from "../../decoded.js";
import type { Draft, DraftValue } from "../../draft.js";
import { isInt32, named, parsed, quantityFrom } from "./autoscaler-metrics.js";

type FieldType = "string" | "int32" | "quantity" | "policies";
type Fields = Readonly<Record<string, FieldType>>;

const rulesFields = {
  stabilizationWindowSeconds: "int32",
  selectPolicy: "string",
  policies: "policies",
  tolerance: "quantity",
} as const satisfies Record<keyof HPAScalingRules, FieldType>;
const policyFields = {
  type: "string",
  value: "int32",
  periodSeconds: "int32",
} as const satisfies Record<keyof HPAScalingPolicy, FieldType>;

/** The behavior in the format of the `autoscaling/v1` annotation: with Go's field names. */
export function behaviorAnnotation({ scaleUp, scaleDown }: Decoded<Behavior>): string {
  return goJson({ ScaleUp: withGoNames(scaleUp, rulesFields), ScaleDown: withGoNames(scaleDown, rulesFields) });
}

function withGoNames(object: JsonObject | undefined, fields: Fields): JsonObject | null {
  if (!object) return null;
  return Object.fromEntries(
    Object.entries(fields).map(([field, type]) => {
      const value = object[field] ?? null;
      const items: readonly JsonValue[] | undefined = type === "policies" && Array.isArray(value) ? value : undefined;
      const name = field.slice(0, 1).toUpperCase() + field.slice(1);
      return [name, items?.map((item) => (isJsonObject(item) ? withGoNames(item, policyFields) : item)) ?? value];
    }),
  );
}

/** The inverse of {@link behaviorAnnotation}; undefined for an invalid or empty one. */
export function behaviorFrom(annotation: string | undefined): Decoded<Behavior> | undefined {
  const value = parsed(annotation);
  if (!isJsonObject(value)) return undefined;
  const result: Draft = {};
  for (const key of ["scaleUp", "scaleDown"] satisfies (keyof Behavior)[]) {
    const given = named(value, key) ?? null;
    if (given === null) continue;
    const rules = decode(given, rulesFields);
    if (rules === undefined) return undefined;
    result[key] = rules;
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

function decode(value: JsonValue, fields: Fields): Draft | undefined {
  if (!isJsonObject(value)) return undefined;
  const result: Draft = fields === policyFields ? { type: "", value: 0, periodSeconds: 0 } : {};
  for (const [field, type] of Object.entries(fields)) {
    const given = named(value, field) ?? null;
    if (given === null) continue;
    const found = decodeField(given, type);
    if (found === undefined) return undefined;
    result[field] = found;
  }
  return result;
}

function decodeField(value: JsonValue, type: FieldType): DraftValue | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" ? value : undefined;
    case "int32":
      return isInt32(value) ? value : undefined;
    case "quantity":
      return quantityFrom(value);
    case "policies": {
      if (!Array.isArray(value)) return undefined;
      const policies = (value as readonly JsonValue[]).map((policy) => decode(policy ?? {}, policyFields));
      return policies.every((policy) => policy !== undefined) ? policies : undefined;
    }
    default:
      return type satisfies never;
  }
}
