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
import type { Response, SentObject } from "./served-definition.js";

/**
 * Describes how local validation, with CEL rules, and defaulting differ from the response of a real server to a create, or to an update of `old`;
 * undefined if they agree.
 */
export function localDifference(
  version: CustomResourceVersion,
  { name, body }: Pick<SentObject, "name" | "body">,
  real: Response,
  old?: JsonObject,
): string | undefined {
  const schema = version.schema?.openAPIV3Schema ?? {};
  const hasStatus = version.subresources?.status !== undefined;
  const { status: _, ...withoutStatus } = body;
  // A server drops the status before validation if it is a subresource.
  const object = { kind: real.body["kind"] ?? "", metadata: { name }, ...(hasStatus ? withoutStatus : body) };
  const stored = applyDefaults(dropNulls(pruneUnknown(object, schema).value, schema), schema);
  const invalid = [
    ...validateValue(stored, schema, { old }),
    ...validateEmbedded(stored, schema, ""),
    ...validateLists(stored, schema, ""),
  ];
  const violations = evaluateRules(schema, { object: stored as JsonObject, old, errors: invalid });
  const errors = [...invalid, ...violations.errors].map(formatFieldError).sort();
  const rejected = causesOf(real).sort();
  if (!deepEqual(errors, rejected)) return JSON.stringify({ old, body, local: errors, real: rejected });
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

function causesOf({ status, body }: Response): string[] {
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
