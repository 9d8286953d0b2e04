import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "@kubewright/core/json";
import { type FieldError, invalid } from "@kubewright/core/schema";
import type { ScalePaths } from "../resource.js";

const maxInt32 = 2_147_483_647;

/** Validates the spec replicas of the scale subresource. */
export function checkScaleSpec(object: JsonObject, scale: ScalePaths | undefined): FieldError[] {
  return scale ? checkReplicas(object, scale.specReplicas) : [];
}

/** Validates the status replicas and the selector of the scale subresource. */
export function checkScaleStatus(object: JsonObject, scale: ScalePaths | undefined): FieldError[] {
  if (!scale) return [];
  const errors = checkReplicas(object, scale.statusReplicas);
  if (scale.labelSelector === undefined) return errors;
  const found = nested(object, scale.labelSelector);
  if (found.problem !== undefined) errors.push(invalid(`.${scale.labelSelector}`, "", found.problem));
  else if (found.value !== undefined && typeof found.value !== "string")
    errors.push(invalid(`.${scale.labelSelector}`, "", wrongType(scale.labelSelector, found.value, "string")));
  return errors;
}

function checkReplicas(object: JsonObject, path: string): FieldError[] {
  const { value, problem } = nested(object, path);
  const field = `.${path}`;
  if (problem !== undefined) return [invalid(field, 0, problem)];
  if (value === undefined) return [];
  if (typeof value !== "bigint" && (typeof value !== "number" || !Number.isInteger(value)))
    return [invalid(field, 0, wrongType(path, value, "int64"))];
  if (value < 0) return [invalid(field, value, "should be a non-negative integer")];
  return value > maxInt32 ? [invalid(field, value, `should be less than or equal to ${maxInt32}`)] : [];
}

function nested(object: JsonObject, path: string): { readonly value?: JsonValue; readonly problem?: string } {
  let current: JsonValue = object;
  for (const step of path.split(".")) {
    // `NestedFieldNoCopy` finds nothing below a null.
    if (current === null) return {};
    if (!isJsonObject(current)) return { problem: wrongType(path, current, "map[string]interface{}") };
    const next: JsonValue | undefined = Object.hasOwn(current, step) ? current[step] : undefined;
    if (next === undefined) return {};
    current = next;
  }
  return { value: current };
}

/** The error of apimachinery's `NestedFieldNoCopy`. */
function wrongType(path: string, value: JsonValue, expected: string): string {
  const shown = value === null ? "<nil>" : typeof value === "string" ? value : stringifyJson(value);
  return `.${path} accessor error: ${shown} is of the type ${goTypeOf(value)}, expected ${expected}`;
}

function goTypeOf(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "bigint") return "int64";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "map[string]interface {}";
}
