import { invalid, tooLong } from "@kubewright/core/schema";
import type { Errors } from "../../validation/index.js";

/** Validates the parameters of a StorageClass or VolumeAttributesClass. */
export function checkParameters(parameters: Readonly<Record<string, string>>, errors: Errors): void {
  const entries = Object.entries(parameters);
  if (entries.length > 512) return void errors.push(tooLong("parameters", 512));
  if (Object.hasOwn(parameters, "")) errors.push(invalid("parameters", "", "field can not be empty."));
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (bytes > 262_144) errors.push(tooLong("parameters", 262_144));
}
