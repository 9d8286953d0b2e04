import { evaluateRules } from "@kubewright/core/cel";
import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import {
  applyDefaults,
  dropNulls,
  formatFieldError,
  pruneUnknown,
  validateEmbedded,
  validateLists,
  validateValue,
} from "@kubewright/core/schema";
import type { CustomResourceVersion } from "kubewright/crd";
import type { DryRun } from "./served-definition.js";

/** Describes how local validation, with CEL rules, and defaulting differ from the response of a real server; undefined if they agree. */
export function localDifference(version: CustomResourceVersion, body: JsonObject, real: DryRun): string | undefined {
  const schema = version.schema?.openAPIV3Schema ?? {};
  const hasStatus = version.subresources?.status !== undefined;
  const { status: _, ...withoutStatus } = body;
  // A server drops the status of a new object before validation if it is a subresource.
  const object = { kind: real.body["kind"] ?? "", metadata: { name: "a" }, ...(hasStatus ? withoutStatus : body) };
  const stored = applyDefaults(dropNulls(pruneUnknown(object, schema).value, schema), schema);
  const invalid = [
    ...validateValue(stored, schema, {}),
    ...validateEmbedded(stored, schema, ""),
    ...validateLists(stored, schema, ""),
  ];
  const violations = evaluateRules(schema, { object: stored as JsonObject, old: undefined, errors: invalid });
  const errors = [...invalid, ...violations.errors].map(formatFieldError).sort();
  const rejected = causesOf(real).sort();
  if (!deepEqual(errors, rejected)) return JSON.stringify({ body, local: errors, real: rejected });
  // In a version other than the storage version, a server also prunes fields that the storage version lacks.
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
      // The scale subresource validates its replicas separately.
      .filter(({ field }) => !String(field).startsWith("."))
      .map(({ field, message }) => `${field}: ${message}`)
  );
}
