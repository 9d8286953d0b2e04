import type { Schema } from "@kubewright/core/schema";
import { between, type Chance, pick } from "./chance.js";

/** A number that fits a schema; at its bounds more often than between them. */
export function randomNumber(schema: Schema, chance: Chance): number {
  const isWhole = schema.type === "integer";
  const { exclusiveMinimum = false, exclusiveMaximum = false } = schema;
  const step = schema.multipleOf ?? (isWhole ? 1 : 0.5);
  const span = 100 * step;
  const low = schema.minimum ?? (schema.maximum === undefined ? 0 : Math.min(0, schema.maximum - span));
  const high = schema.maximum ?? low + span;
  const least = Math.ceil(low / step) + (exclusiveMinimum && low % step === 0 ? 1 : 0);
  const most = Math.floor(high / step) - (exclusiveMaximum && high % step === 0 ? 1 : 0);
  // Between bounds that are closer than a step there is only their middle.
  if (least > most) return (low + high) / 2;
  return step * (pick([least, most, between(least, most, chance)], chance) ?? least);
}
