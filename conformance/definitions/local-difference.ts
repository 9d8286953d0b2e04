import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import {
  applyDefaults,
  dropNulls,
  formatFieldError,
  pruneUnknown,
  type Schema,
  validateEmbedded,
  validateLists,
  validateValue,
} from "@kubewright/core/schema";
import type { CustomResourceVersion } from "kubewright/crd";
import type { DryRun } from "./served-definition.js";

/**
 * How what is checked and filled in locally differs from what a real server answered, in words; undefined when it does not. Versions with
 * rules in CEL, which only a server evaluates, are passed over.
 */
export function localDifference(version: CustomResourceVersion, body: JsonObject, real: DryRun): string | undefined {
  const schema = version.schema?.openAPIV3Schema ?? {};
  if (hasRules(schema)) return undefined;
  const hasStatus = version.subresources?.status !== undefined;
  const { status: _, ...withoutStatus } = body;
  // A server takes the status off a new object, where it is a subresource, before it looks at the object.
  const object = { kind: real.body["kind"] ?? "", metadata: { name: "a" }, ...(hasStatus ? withoutStatus : body) };
  const stored = applyDefaults(dropNulls(pruneUnknown(object, schema).value, schema), schema);
  const errors = [
    ...validateValue(stored, schema, {}),
    ...validateEmbedded(stored, schema, ""),
    ...validateLists(stored, schema, ""),
  ]
    .map(formatFieldError)
    .sort();
  const refused = causesOf(real).sort();
  if (!deepEqual(errors, refused)) return JSON.stringify({ body, local: errors, real: refused });
  // In another version than the stored one, a server also leaves out what the stored one does not know.
  if (real.status >= 300 || !version.storage) return undefined;
  return deepEqual(bodyOf(stored), bodyOf(real.body))
    ? undefined
    : JSON.stringify({ body, local: stored, real: real.body });
}

function bodyOf(value: unknown): JsonObject {
  const { apiVersion: _, kind: __, metadata: ___, ...body } = isJsonObject(value) ? value : {};
  return body;
}

function causesOf({ status, body }: DryRun): string[] {
  const details = isJsonObject(body["details"]) ? body["details"] : {};
  const causes = Array.isArray(details["causes"]) ? details["causes"].filter(isJsonObject) : [];
  if (status >= 300 && causes.length === 0) return [String(body["message"])];
  return (
    causes
      // Of the scale subresource, which looks at its number by itself.
      .filter(({ field }) => !String(field).startsWith("."))
      .map(({ field, message }) => `${field}: ${message}`)
  );
}

function hasRules(schema: Schema): boolean {
  if (schema["x-kubernetes-validations"] !== undefined) return true;
  const { properties = {}, items, additionalProperties } = schema;
  return (
    Object.values(properties).some(hasRules) ||
    (items !== undefined && hasRules(items)) ||
    (typeof additionalProperties === "object" && hasRules(additionalProperties))
  );
}
