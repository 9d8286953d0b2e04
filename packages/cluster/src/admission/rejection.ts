import { type AdmissionRequest, type ApiFailure, forbidden, metadataOf, textAt } from "../registry/index.js";

/**
 * The name with which a rejection names an object. A new object may have none before its name is generated; of a deleted collection, admission sees
 * neither name nor object.
 */
export function rejectionName({
  name,
  operation,
  object,
}: Pick<AdmissionRequest, "name" | "operation" | "object">): string {
  const metadata = operation === "DELETE" ? {} : metadataOf(object);
  return name || textAt(metadata, "name") || textAt(metadata, "generateName") || "Unknown";
}

/** 403: a plugin does not admit the request. */
export function rejected(request: AdmissionRequest, why: string): ApiFailure {
  return forbidden(request.resource, rejectionName(request), why);
}
