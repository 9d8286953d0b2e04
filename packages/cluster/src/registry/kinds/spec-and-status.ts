import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { type Draft, keepFrom } from "../draft.js";
import type { StrategyContext } from "../strategy.js";

/** An update of the object keeps the status, an update of the status keeps the spec. */
export function keepOtherPart(
  draft: Draft,
  old: JsonObject,
  { subresource }: Pick<StrategyContext, "subresource">,
): void {
  keepFrom(draft, old, subresource === "status" ? "spec" : "status");
}

/** Whether the spec changed: `isNewGeneration` of kinds that count only that. */
export function specChanged(object: JsonObject, old: JsonObject): boolean {
  return !deepEqual(object["spec"], old["spec"]);
}
