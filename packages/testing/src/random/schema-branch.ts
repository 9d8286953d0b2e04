import type { Schema } from "@kubewright/core/schema";
import { type Chance, pick } from "./chance.js";

/**
 * The schema with all of `allOf` and one branch of `oneOf` and of `anyOf` put into it, so that one schema says what a value needs. What it must not be
 * (`not`) is not looked at.
 */
export function mergedBranch(schema: Schema, chance: Chance): Schema {
  const { allOf = [], anyOf = [], oneOf = [], ...rest } = schema;
  const parts = [...allOf, ...[anyOf, oneOf].flatMap((branches) => pick(branches, chance) ?? [])];
  return parts.reduce<Schema>((merged, part) => merge(merged, mergedBranch(part, chance)), rest);
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
