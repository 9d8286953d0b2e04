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
    /** Allows a conversion to lose what the other version cannot hold. @default false: it is kept in an annotation, and put back */
    readonly lossy?: boolean;
  };
};

/** The conversion of one version, without its static types. */
export interface VersionConversion {
  readonly toHub: (object: JsonObject) => unknown;
  readonly fromHub: (object: JsonObject) => unknown;
  readonly lossy?: boolean;
}

/** Where an API server finds the webhook that converts objects. */
export type ConversionWebhook = ({ readonly url: string } | { readonly service: WebhookService }) & {
  /** The certificate authority that vouches for it: PEM in base64. @default left out, for a tool that fills it in */
  readonly caBundle?: string;
  /** Versions of ConversionReview that it understands. @default ["v1"] */
  readonly reviewVersions?: readonly string[];
};

/** A webhook behind a Service of the cluster. */
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

/** The part of a CustomResourceDefinition that names this webhook. */
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
