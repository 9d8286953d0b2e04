import type { JsonObject } from "@kubewright/core/json";

/**
 * What converts objects between the versions of a definition whose conversion strategy is `Webhook`.
 *
 * This server has none of its own, and refuses such definitions. Without a webhook, versions differ in their apiVersion and in the fields
 * that they know.
 */
export interface ObjectConverter {
  /** The object in another version of the same kind; throws the failure that the client gets. Metadata must stay as it is. */
  convert(object: JsonObject, apiVersion: string): JsonObject;
}
