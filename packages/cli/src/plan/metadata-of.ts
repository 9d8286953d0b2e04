import type { ObjectMeta } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";

/** The metadata of an object; empty where it has none. */
export function metadataOf(object: JsonObject | undefined): Partial<ObjectMeta> {
  return isJsonObject(object?.["metadata"]) ? (object["metadata"] as Partial<ObjectMeta>) : {};
}
