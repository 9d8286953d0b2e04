import type { JsonObject } from "@kubewright/core/json";

/** One call of a webhook: a POST of an AdmissionReview or a ConversionReview. */
export interface WebhookRequest {
  /** The Service of the clientConfig, with its port; undefined if the clientConfig has a URL. */
  readonly service?: { readonly namespace: string; readonly name: string; readonly port: number };
  /** The URL of the clientConfig; undefined if it has a Service. */
  readonly url?: string;
  /** The path of the Service or of the URL, which starts with a slash. */
  readonly path: string;
  /** The review. The receiver owns it: no other part of the server sees its changes. */
  readonly review: JsonObject;
  /** How long the server waits. */
  readonly timeoutMs: number;
  /** Aborts when the server stops waiting. */
  readonly signal: AbortSignal;
}

/** The response of a webhook. */
export interface WebhookResponse {
  /** The HTTP status; only 2xx is a review. */
  readonly status: number;
  /** The review, as a JSON value. The server owns it. */
  readonly body: unknown;
}

/**
 * Calls webhooks in process, without a socket, a certificate or serialization.
 *
 * Returns undefined for a webhook that it does not serve: that one is called over HTTPS. A rejected promise is a failed call, as a refused
 * connection would be; the failurePolicy of the webhook decides.
 *
 * @example
 * await startCluster({
 *   webhookTransport: ({ service, path, review, signal }) =>
 *     service?.name === "foo-webhooks" ? handle(path, review, signal) : undefined,
 * });
 */
export type WebhookTransport = (request: WebhookRequest) => Promise<WebhookResponse> | undefined;
