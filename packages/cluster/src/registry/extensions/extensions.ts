import type { WebhookCaller } from "../../webhook-client/index.js";
import type { ConversionWebhook, ObjectConverter } from "./object-converter.js";

/** Optional features that are passed to the server. */
export interface Extensions {
  /** Converts objects between versions in place of conversion webhooks, by the name of the CRD. */
  readonly converters?: ReadonlyMap<string, ObjectConverter | ConversionWebhook>;
  /** Calls conversion webhooks. @default a CRD with the strategy Webhook and no converter is rejected */
  readonly webhooks?: WebhookCaller;
}

/** No extensions: CRDs that need one are rejected. */
export const noExtensions: Extensions = {};
