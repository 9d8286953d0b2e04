import type { Schema } from "@kubewright/core/schema";
import { between, pick, type Random } from "./random.js";

/** A random number that fits a schema; its bounds are more likely than other values. */
export function randomNumber(schema: Schema, random: Random): number {
  const isInteger = schema.type === "integer";
  const { exclusiveMinimum = false, exclusiveMaximum = false } = schema;
  const step = schema.multipleOf ?? (isInteger ? 1 : 0.5);
  const span = 100 * step;
  const low = schema.minimum ?? (schema.maximum === undefined ? 0 : Math.min(0, schema.maximum - span));
  const high = schema.maximum ?? low + span;
  const least = Math.ceil(low / step) + (exclusiveMinimum && low % step === 0 ? 1 : 0);
  const most = Math.floor(high / step) - (exclusiveMaximum && high % step === 0 ? 1 : 0);
  // Bounds closer than one step: take the middle.
  if (least > most) return (low + high) / 2;
  return step * (pick([least, most, between(least, most, random)], random) ?? least);
}
