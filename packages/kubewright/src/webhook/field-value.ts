import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/**
 * The value at a field path in Kubernetes' form: `spec.containers[0].image`, `metadata.labels[app.kubernetes.io/name]`. Undefined if there is none.
 */
export function valueAtField(object: JsonObject, field: string): JsonValue | undefined {
  let current: JsonValue | undefined = object;
  for (const [, name, key] of field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    const step = name ?? key ?? "";
    if (Array.isArray(current)) current = /^\d{1,9}$/.test(step) ? current[Number(step)] : undefined;
    else current = isJsonObject(current) ? getOwn(current, step) : undefined;
    if (current === undefined) return undefined;
  }
  return current;
}
