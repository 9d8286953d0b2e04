import type { Schema } from "../schema/index.js";

/**
 * The schema by which objects of a custom kind merge, from the one that its definition declares.
 *
 * Merging takes more than pruning leaves: an object that declares no fields may have any, and what an object with
 * `x-kubernetes-preserve-unknown-fields` holds may have any too, at every depth. The object itself always declares its metadata.
 */
export function openSchema(schema: Schema): Schema {
  return open(schema, { isOpen: false, isResource: true });
}

interface Place {
  /** Whether an object around it takes what it does not know. */
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
