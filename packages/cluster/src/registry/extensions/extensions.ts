import type { ConversionWebhook, ObjectConverter } from "./object-converter.js";

/** Optional features that are passed to the server. */
export interface Extensions {
  /** Converts objects between versions, by the name of the CRD. A CRD with the strategy Webhook and no converter is rejected. */
  readonly converters?: ReadonlyMap<string, ObjectConverter | ConversionWebhook>;
}

/** No extensions: CRDs that need one are rejected. */
export const noExtensions: Extensions = {};
