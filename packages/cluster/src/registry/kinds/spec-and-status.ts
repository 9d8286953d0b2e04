import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { type Draft, keepFrom } from "../draft.js";
import type { StrategyContext } from "../strategy.js";

/** A write to the main resource keeps the status; a write to the status subresource keeps the spec. */
export function keepOtherPart(
  draft: Draft,
  old: JsonObject,
  { subresource }: Pick<StrategyContext, "subresource">,
): void {
  keepFrom(draft, old, subresource === "status" ? "spec" : "status");
}

/** Whether the spec changed: `isNewGeneration` of kinds whose generation depends only on the spec. */
export function specChanged(object: JsonObject, old: JsonObject): boolean {
  return !deepEqual(object["spec"], old["spec"]);
}
