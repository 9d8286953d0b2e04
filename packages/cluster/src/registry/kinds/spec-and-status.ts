import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { type Draft, keepFrom } from "../draft.js";

/** Neither the object nor its status changes what belongs to the other. */
export function keepOtherPart(draft: Draft, old: JsonObject, subresource: string): void {
  keepFrom(draft, old, subresource === "status" ? "spec" : "status");
}

/** A change of the spec alone counts. */
export function specChanged(object: JsonObject, old: JsonObject): boolean {
  return !deepEqual(object["spec"], old["spec"]);
}
