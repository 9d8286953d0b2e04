import type { JsonObject } from "@kubewright/core/json";
import { ApiFailure } from "./api-failure.js";
import { textAt } from "./draft.js";

/** The `resourceVersion` in metadata; empty if there is none. Throws kube-apiserver's 500 if it is not a number. */
export function resourceVersionOf(metadata: JsonObject): string {
  const version = textAt(metadata, "resourceVersion");
  const problem = /^\d*$/.test(version) ? undefined : uintProblem(version);
  if (problem === undefined) return version;
  throw new ApiFailure(500, "", problem);
}

/** Why a string is no uint64, in Go's words; undefined if it is one, or empty. */
export function uintProblem(text: string): string | undefined {
  const why = !/^\d*$/.test(text)
    ? "invalid syntax"
    : text.length > 20 || (text.length === 20 && text > "18446744073709551615")
      ? "value out of range"
      : undefined;
  return why && `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`;
}
