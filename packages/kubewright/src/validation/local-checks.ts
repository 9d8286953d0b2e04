import { evaluateRules } from "@kubewright/core/cel";
import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject, normaliseJson } from "@kubewright/core/json";
import {
  applyDefaults,
  dropNulls,
  type FieldError,
  formatFieldError,
  pruneUnknown,
  type Schema,
  validateEmbedded,
  validateLists,
  validateValue,
} from "@kubewright/core/schema";
import { type AnyKind, isResource, versionSchemas } from "../definition/index.js";

/** The result of an API server's pruning, defaulting and validation of an object. */
export interface LocalCheck {
  /** The object as it would be stored: without unknown fields, with defaults. */
  readonly object: JsonObject;
  /** Unknown fields, which are pruned, or rejected by strict field validation. */
  readonly unknownFields: readonly string[];
  /** The server's validation errors; empty for a valid object. */
  readonly errors: readonly string[];
  /** Errors of parts that an update did not change, for which the server only warns. */
  readonly warnings: readonly string[];
}

/**
 * Prunes, defaults and validates an object by its CustomResourceDefinition as an API server does, without a server.
 *
 * `old` is the object before an update: unchanged values are not rejected (validation ratcheting). CEL rules are evaluated.
 * Metadata, also of embedded objects, and the checks of the scale subresource are skipped. Throws DEFINITION_INVALID when a CRD cannot
 * express the definition, and for a kind that was not made by `defineResource`.
 */
export function checkLocally(kind: AnyKind, object: unknown, old?: unknown): LocalCheck {
  const { errors, ...rest } = checkFields(kind, object, old);
  return { ...rest, errors: errors.map(formatFieldError) };
}

/** As {@link checkLocally}, with the errors as data. */
export function checkFields(
  kind: AnyKind,
  object: unknown,
  old?: unknown,
): Omit<LocalCheck, "errors"> & { readonly errors: readonly FieldError[] } {
  const schema = schemaOf(kind);
  const { value, unknownFields } = pruneUnknown(asObject(kind, object), schema);
  const stored = applyDefaults(dropNulls(value, schema), schema) as JsonObject;
  const before = old === undefined ? undefined : asObject(kind, old);
  const errors = [
    ...validateValue(stored, schema, { old: before }),
    ...validateEmbedded(stored, schema, ""),
    ...validateLists(stored, schema, ""),
  ];
  const violations = evaluateRules(schema, { object: stored, old: before, errors });
  return { object: stored, unknownFields, errors: [...errors, ...violations.errors], warnings: violations.warnings };
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
