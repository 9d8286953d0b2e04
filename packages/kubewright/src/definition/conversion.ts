import type { JsonObject } from "@kubewright/core/json";
import type { VersionBody, VersionOptions } from "./version-options.js";

/** Conversion functions for each version that is not the hub. They must be pure: the same object always converts to the same result. */
export type Conversions<
  Versions extends Readonly<Record<string, VersionOptions>>,
  Hub extends keyof Versions & string,
> = {
  readonly [V in Exclude<keyof Versions, Hub>]: {
    readonly toHub: (object: VersionBody<Versions[V]>) => VersionBody<Versions[Hub]>;
    readonly fromHub: (object: VersionBody<Versions[Hub]>) => VersionBody<Versions[V]>;
    /** Drops the values that the other version cannot represent. @default false: an annotation stores them for the way back */
    readonly lossy?: boolean;
  };
};

/** The conversion of one version, without its static types. */
export interface VersionConversion {
  readonly toHub: (object: JsonObject) => unknown;
  readonly fromHub: (object: JsonObject) => unknown;
  readonly lossy?: boolean;
}

/** Where an API server finds the conversion webhook. */
export type ConversionWebhook = ({ readonly url: string } | { readonly service: WebhookService }) & {
  /** The CA certificate of the webhook: PEM in base64. @default omitted, for a CA injector such as cert-manager */
  readonly caBundle?: string;
  /** The ConversionReview versions that it accepts. @default ["v1"] */
  readonly reviewVersions?: readonly string[];
};

/** A webhook behind a Service in the cluster. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  /** @default the server's: "/" */
  readonly path?: string;
  /** @default the server's: 443 */
  readonly port?: number;
}

/** `spec.conversion` of a CustomResourceDefinition. */
export interface ServedConversion {
  readonly strategy: "None" | "Webhook";
  readonly webhook?: {
    readonly clientConfig: { readonly url?: string; readonly service?: WebhookService; readonly caBundle?: string };
    readonly conversionReviewVersions: readonly string[];
  };
}

/** The `spec.conversion` of a CustomResourceDefinition for this webhook. */
export function servedConversion({
  caBundle,
  reviewVersions = ["v1"],
  ...target
}: ConversionWebhook): ServedConversion {
  return {
    strategy: "Webhook",
    webhook: {
      clientConfig: { ...target, ...(caBundle !== undefined && { caBundle }) },
      conversionReviewVersions: reviewVersions,
    },
  };
}
