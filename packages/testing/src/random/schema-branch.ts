import type { Schema } from "@kubewright/core/schema";
import { pick, type Random } from "./random.js";

/**
 * Merges all of `allOf` and one random branch of `oneOf` and of `anyOf` into the schema. `not` is ignored.
 */
export function mergedBranch(schema: Schema, random: Random): Schema {
  const { allOf = [], anyOf = [], oneOf = [], ...rest } = schema;
  const parts = [...allOf, ...[anyOf, oneOf].flatMap((branches) => pick(branches, random) ?? [])];
  return parts.reduce<Schema>((merged, part) => merge(merged, mergedBranch(part, random)), rest);
}

function merge(left: Schema, right: Schema): Schema {
  const properties = { ...left.properties };
  for (const [name, property] of Object.entries(right.properties ?? {})) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    properties[name] = known ? merge(known, property) : property;
  }
  const required = [...new Set([...(left.required ?? []), ...(right.required ?? [])])];
  return {
    ...left,
    ...right,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(left.items && right.items && { items: merge(left.items, right.items) }),
  };
}
