import type { JsonObject } from "@kubewright/core/json";
import { normaliseJson } from "@kubewright/core/json";
import type { AdmissionEndpoint, Webhook } from "./webhook.js";

/** How an API server reaches the webhooks: a Service, or a URL without a path. */
export interface WebhookAddress {
  readonly service?: { readonly namespace: string; readonly name: string; readonly port?: number };
  /** Such as `https://hooks.example.com`. */
  readonly url?: string;
  /** PEM certificates in base64. @default not set: a certificate manager writes it, or the system's CAs are trusted */
  readonly caBundle?: string;
}

/** Where a configuration's webhooks are, and what its metadata has beside the name. */
export interface WebhookConfigurationOptions extends WebhookAddress {
  /** The name of the operator, before the names of the configurations. */
  readonly operator: string;
  /** @default none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A MutatingWebhookConfiguration or ValidatingWebhookConfiguration. */
export interface WebhookConfiguration {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration";
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly webhooks: readonly JsonObject[];
}

/** The names of an operator's webhook configurations, and of the Service and the certificate's Secret of its webhooks. */
export function webhookNames(operator: string): {
  readonly mutating: string;
  readonly validating: string;
  readonly service: string;
  readonly secret: string;
} {
  return {
    mutating: `${operator}-mutating-webhook-configuration`,
    validating: `${operator}-validating-webhook-configuration`,
    service: `${operator}-webhook-service`,
    secret: `${operator}-webhook-certificates`,
  };
}

/**
 * The webhook configurations of an operator: at most one of each kind, none without such webhooks.
 *
 * @example
 * const [validating] = webhookConfigurations([admission], { operator: "website-operator", url: "https://127.0.0.1:9443", caBundle });
 */
export function webhookConfigurations(
  webhooks: readonly Webhook[],
  options: WebhookConfigurationOptions,
): WebhookConfiguration[] {
  const { mutating, validating } = webhookNames(options.operator);
  return [
    configuration("MutatingWebhookConfiguration", mutating, entriesOf(webhooks, "mutating", options), options),
    configuration("ValidatingWebhookConfiguration", validating, entriesOf(webhooks, "validating", options), options),
  ].filter(({ webhooks: entries }) => entries.length > 0);
}

function configuration(
  kind: WebhookConfiguration["kind"],
  name: string,
  webhooks: readonly JsonObject[],
  { annotations }: WebhookConfigurationOptions,
): WebhookConfiguration {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name, ...(annotations && Object.keys(annotations).length > 0 && { annotations }) },
    webhooks,
  };
}

function entriesOf(
  webhooks: readonly Webhook[],
  half: "mutating" | "validating",
  address: WebhookAddress,
): JsonObject[] {
  return webhooks.flatMap((webhook) => {
    const endpoint = webhook[half];
    return endpoint === undefined ? [] : [entryOf(webhook, endpoint, half, address)];
  });
}

function entryOf(
  { rules, settings }: Webhook,
  { name, path, handlers }: AdmissionEndpoint,
  half: "mutating" | "validating",
  address: WebhookAddress,
): JsonObject {
  const operations = Object.keys(handlers).map((operation) => operation.toUpperCase());
  const { namespaceSelector, objectSelector, matchConditions, reinvocationPolicy, ...policies } = settings;
  return normaliseJson({
    name,
    admissionReviewVersions: ["v1"],
    clientConfig: clientConfigOf(address, path),
    rules: rules.map(({ apiGroups, apiVersions, resources, scope }) => ({
      operations,
      apiGroups,
      apiVersions,
      resources,
      scope,
    })),
    ...policies,
    ...(half === "mutating" && { reinvocationPolicy }),
    namespaceSelector,
    objectSelector,
    ...(matchConditions.length > 0 && { matchConditions }),
  }) as JsonObject;
}

function clientConfigOf({ service, url, caBundle }: WebhookAddress, path: string): object {
  const where = url === undefined ? { service: { ...service, path } } : { url: `${url.replace(/\/$/, "")}${path}` };
  return { ...where, ...(caBundle !== undefined && { caBundle }) };
}
