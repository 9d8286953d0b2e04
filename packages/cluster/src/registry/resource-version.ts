import type { JsonObject } from "@kubewright/core/json";
import { ApiFailure } from "./api-failure.js";
import { textAt } from "./draft.js";

/** The `resourceVersion` of metadata; empty when there is none. Throws the 500 of a real server for one that is no number. */
export function resourceVersionOf(metadata: JsonObject): string {
  const version = textAt(metadata, "resourceVersion");
  if (/^\d*$/.test(version)) return version;
  throw new ApiFailure(500, "", `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
}
