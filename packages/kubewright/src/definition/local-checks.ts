import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject, normaliseJson } from "@kubewright/core/json";
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
import { isResource } from "./define-resource.js";
import type { AnyKind } from "./kind.js";
import { versionSchemas } from "./version-schemas.js";

/** The result of an API server's pruning, defaulting and validation of an object. */
export interface LocalCheck {
  /** The object as it would be stored: without unknown fields, with defaults. */
  readonly object: JsonObject;
  /** Unknown fields, which are pruned, or rejected by strict field validation. */
  readonly unknownFields: readonly string[];
  /** The server's validation errors; empty for a valid object. */
  readonly errors: readonly string[];
  /** The number of CEL rules, which only a server evaluates. */
  readonly unevaluatedRules: number;
}

/**
 * Prunes, defaults and validates an object by its CustomResourceDefinition as an API server does, without a server.
 *
 * `old` is the object before an update: unchanged values are not rejected (validation ratcheting). CEL rules are counted, not evaluated.
 * Metadata, also of embedded objects, and the checks of the scale subresource are skipped. Throws DEFINITION_INVALID when a CRD cannot
 * express the definition, and for a kind that was not made by `defineResource`.
 */
export function checkLocally(kind: AnyKind, object: unknown, old?: unknown): LocalCheck {
  const schema = schemaOf(kind);
  const { value, unknownFields } = pruneUnknown(asObject(kind, object), schema);
  const stored = applyDefaults(dropNulls(value, schema), schema) as JsonObject;
  const before = old === undefined ? undefined : asObject(kind, old);
  const errors = [
    ...validateValue(stored, schema, { old: before }),
    ...validateEmbedded(stored, schema, ""),
    ...validateLists(stored, schema, ""),
  ];
  return {
    object: stored,
    unknownFields,
    errors: errors.map(formatFieldError),
    unevaluatedRules: countRules(schema),
  };
}

function schemaOf(kind: AnyKind): Schema {
  if (!isResource(kind))
    throw new OperatorError(
      "DEFINITION_INVALID",
      `Cannot check ${kind.kind} objects: the kind was not made by defineResource`,
    );
  return versionSchemas(kind.definition).get(kind.version) ?? {};
}

function asObject(kind: AnyKind, value: unknown): JsonObject {
  const json = normaliseJson(value);
  if (!isJsonObject(json))
    throw new OperatorError("DEFINITION_INVALID", `Cannot check ${kind.kind}: it is not an object`);
  return json;
}

function countRules(schema: Schema): number {
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
  ];
  return (schema["x-kubernetes-validations"]?.length ?? 0) + parts.reduce((sum, part) => sum + countRules(part), 0);
}
