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

/** What an API server would make of an object. */
export interface LocalCheck {
  /** The object as it would be stored: without unknown fields, with defaults. */
  readonly object: JsonObject;
  /** Unknown fields, which are pruned, or rejected by strict field validation. */
  readonly unknownFields: readonly string[];
  /** Why the server would reject it, in the server's messages; empty when it would not. */
  readonly errors: readonly string[];
  /** Rules in CEL that were not evaluated: only a server does. */
  readonly unevaluatedRules: number;
}

/**
 * Prunes, defaults and checks an object as an API server does by its CustomResourceDefinition, without one.
 *
 * `old` is the object before, for an update: unchanged values are not rejected (ratcheting). Rules in CEL are counted, not evaluated. Metadata, also that of embedded objects, and
 * what the scale subresource checks by itself, are not looked at. Throws DEFINITION_INVALID when the definition cannot be expressed, and for a kind that was not made by `defineResource`.
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
