import type { JsonObject } from "@kubewright/core/json";

/**
 * Converts objects between the versions of one definition, in place of the webhook that it names: gives the object in another version of
 * the same kind, or throws why it cannot. Of the metadata only labels and annotations may change.
 *
 * This server calls no webhooks, and refuses a definition that names one unless it was given a converter for it.
 */
export type ObjectConverter = (object: JsonObject, apiVersion: string) => JsonObject;
