import type { JsonObject } from "@kubewright/core/json";

/**
 * Converts objects between the versions of one CRD, in place of its conversion webhook. Returns the object in another version of the same
 * kind, or throws if it cannot be converted. Only labels and annotations of the metadata may change.
 */
export type ObjectConverter = (object: JsonObject, apiVersion: string) => JsonObject;

/**
 * An asynchronous {@link ObjectConverter}, which converts many objects in one call, as a ConversionReview does.
 *
 * Reads of the stored version do not wait for it.
 */
export interface ConversionWebhook {
  /** The objects in another version, in the same order. They must not be changed. */
  convert(objects: readonly JsonObject[], apiVersion: string): Promise<readonly JsonObject[]>;
}

/** The response of a conversion webhook violates its contract. The message continues `conversion webhook for <kind> `. */
export class InvalidConversion extends Error {
  override readonly name = "InvalidConversion";
}
