import type { JsonObject } from "@kubewright/core/json";
import { type AdmissionRequest, type ApiFailure, forbidden, metadataOf, textAt } from "../registry/index.js";

/** The name with which a rejection names an object, which has none before its name is generated. */
export function rejectionName(object: JsonObject): string {
  const metadata = metadataOf(object);
  return textAt(metadata, "name") || textAt(metadata, "generateName") || "Unknown";
}

/** 403: a plugin does not admit the request. */
export function rejected({ resource, name, object }: AdmissionRequest, why: string): ApiFailure {
  return forbidden(resource, name || rejectionName(object), why);
}
