import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { invalid } from "@kubewright/core/schema";
import { type Errors, notNegative } from "./field-checks.js";

const percentError =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Validates an optional int-or-percent value that must not be negative. */
export function checkIntOrPercent<T extends JsonObject>(
  parent: T,
  key: keyof T & string,
  field: string,
  errors: Errors,
): void {
  const value: JsonValue | undefined = parent[key];
  if (typeof value === "string" && !/^[0-9]+%$/.test(value))
    errors.push(invalid(`${field}.${key}`, value, percentError));
  else if (typeof value === "number" && value < 0) errors.push(invalid(`${field}.${key}`, value, notNegative));
}

/** Rejects a percentage above 100. */
export function checkNotMoreThan100Percent<T extends JsonObject>(
  parent: T,
  key: keyof T & string,
  field: string,
  errors: Errors,
): void {
  const value: JsonValue | undefined = parent[key];
  if (typeof value === "string" && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100)
    errors.push(invalid(`${field}.${key}`, value, "must not be greater than 100%"));
}

/** The number in an int-or-percent value; 0 if it is absent. */
export function intOrPercentValue<T extends JsonObject>(parent: T, key: keyof T & string): number {
  const value: JsonValue | undefined = parent[key];
  if (typeof value === "number") return value;
  return typeof value === "string" && /^[0-9]+%?$/.test(value) ? Number.parseInt(value, 10) : 0;
}
