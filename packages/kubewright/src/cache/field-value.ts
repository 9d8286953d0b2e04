import { isJsonObject } from "@kubewright/core/json";

/** Returns the value of a field as field selectors compare it, such as `status.phase`; undefined if the object does not have it. */
export function fieldValue(object: unknown, field: string): string | undefined {
  let value: unknown = object;
  for (const name of field.split(".")) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return typeof value === "object" || value === undefined ? undefined : String(value);
}
