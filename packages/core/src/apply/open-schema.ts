import type { Schema } from "../schema/index.js";

/**
 * The merge schema of a custom resource, from the schema of its CustomResourceDefinition.
 *
 * Merging accepts more fields than pruning keeps: an object without declared fields may have any, and so may every object below
 * `x-kubernetes-preserve-unknown-fields`. The resource itself always declares its metadata.
 */
export function openSchema(schema: Schema): Schema {
  return open(schema, { isOpen: false, isResource: true });
}

interface Place {
  /** Whether an ancestor preserves unknown fields. */
  readonly isOpen: boolean;
  readonly isResource: boolean;
}

function open(schema: Schema, place: Place): Schema {
  const isOpen = place.isOpen || schema["x-kubernetes-preserve-unknown-fields"] === true;
  const deeper = (inner: Schema): Schema => open(inner, { isOpen, isResource: false });
  const { properties, items, additionalProperties } = schema;
  const isResource = place.isResource || schema["x-kubernetes-embedded-resource"] === true;
  const isBare = !isResource && Object.keys(properties ?? {}).length === 0;
  const isFree = schema.type === "object" && additionalProperties === undefined && (isOpen || isBare);
  return {
    ...schema,
    ...(isFree ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, deeper(inner)])) }),
    ...(items === undefined ? {} : { items: deeper(items) }),
    ...(typeof additionalProperties === "object" ? { additionalProperties: deeper(additionalProperties) } : {}),
  };
}
