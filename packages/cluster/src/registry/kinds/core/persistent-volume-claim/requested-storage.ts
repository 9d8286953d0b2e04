import type { JsonObject } from "@kubewright/core/json";
import type { Quantity } from "@kubewright/core/quantity";
import { objectAt } from "../../../draft.js";
import { quantityOf } from "../../../validation/index.js";

/** The storage that a PersistentVolumeClaim requests. */
export function requestedStorage(object: JsonObject): Quantity {
  return quantityOf(objectAt(objectAt(objectAt(object, "spec"), "resources"), "requests")["storage"] ?? "0");
}
