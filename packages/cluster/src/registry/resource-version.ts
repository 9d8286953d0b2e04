import type { JsonObject } from "@kubewright/core/json";
import { ApiFailure } from "./api-failure.js";
import { textAt } from "./draft.js";

/** The `resourceVersion` in metadata; empty if there is none. Throws kube-apiserver's 500 if it is not a number. */
export function resourceVersionOf(metadata: JsonObject): string {
  const version = textAt(metadata, "resourceVersion");
  if (/^\d*$/.test(version)) return version;
  throw new ApiFailure(500, "", `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
}
