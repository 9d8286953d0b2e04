import { systemClock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Client } from "../client/index.js";
import { type AnyKind, isResource, type ResourceDefinition } from "../definition/index.js";
import type { OperatorMetrics } from "../metrics/index.js";
import {
  createWebhookHandler,
  installWebhooks,
  serveWebhooks,
  type WebhookHandler,
  type WebhookServer,
} from "../webhook/index.js";
import type { AssembledOperator } from "./assemble-operator.js";
import type { HealthCheck } from "./health-checks.js";
import {
  type CertificateChoice,
  type ChosenCertificate,
  type ConversionReference,
  chooseCertificate,
} from "./webhook-certificate.js";
import { WebhookDrain } from "./webhook-drain.js";

/** Where the webhooks of an operator are served, and with which certificate. */
export interface WebhookServingOptions extends CertificateChoice {
  /**
   * Serves the webhooks of the operator: conversions at `/convert`, defaulters and validators at the paths of controller-runtime. `false` turns it off.
   * @default ":9443" for an operator with `webhooks`, else not served
   */
  readonly webhookAddress?: string | false;
}

/** The webhooks of a running process. */
export interface OpenedWebhooks extends Pick<WebhookServer, "close"> {
  readonly handler: WebhookHandler;
  readonly check: HealthCheck;
  /** How CRDs refer to the conversion webhook; undefined where only manifests know it. */
  readonly conversionWebhook: ConversionReference | undefined;
  /** With `webhookUrl`: installs the webhook configurations, after the CRDs. */
  install(): Promise<void>;
}

/** What the server of an operator's webhooks needs beside its options. */
export interface WebhookServices {
  readonly client: Client;
  readonly logger: Logger;
  readonly metrics: OperatorMetrics | undefined;
  readonly tracing: boolean;
  /** Ends the wait for a certificate. */
  readonly signal: AbortSignal;
}

/** Whether the options mean that webhooks are served. */
export function servesWebhooks(
  operator: AssembledOperator,
  { webhookAddress, webhookUrl }: WebhookServingOptions,
): boolean {
  if (webhookAddress === undefined) return operator.webhooks.length > 0 || webhookUrl !== undefined;
  return webhookAddress !== false;
}

/** Serves the webhooks of an operator; undefined when they are not served. Resolves when the server listens. */
export async function openWebhooks(
  operator: AssembledOperator,
  options: WebhookServingOptions,
  services: WebhookServices,
): Promise<OpenedWebhooks | undefined> {
  if (!servesWebhooks(operator, options)) return undefined;
  const { name, webhooks } = operator;
  const { client, logger, metrics, signal } = services;
  const kinds = webhookKinds(operator);
  const drain = new WebhookDrain({ clock: systemClock, stopRequested: signal, environment: process.env });
  const certificate = await chooseCertificate({ name, webhooks, kinds, client, logger, metrics }, options);
  const onStop = (): void => void certificate.close();
  signal.addEventListener("abort", onStop, { once: true });
  try {
    const server = await serve(operator, options, certificate, services);
    return opened({ operator, server, certificate, drain }, services);
  } catch (error) {
    await certificate.close();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", onStop);
  }
}

async function serve(
  operator: AssembledOperator,
  { webhookAddress }: WebhookServingOptions,
  { source }: ChosenCertificate,
  { logger, metrics, tracing }: WebhookServices,
): Promise<WebhookServer> {
  const handler = createWebhookHandler({
    webhooks: operator.webhooks,
    resources: webhookKinds(operator),
    logger,
    ...(metrics && { onFailure: () => metrics.webhookFailed() }),
  });
  return serveWebhooks({
    handler,
    address: typeof webhookAddress === "string" ? webhookAddress : ":9443",
    certificate: source,
    logger,
    tracing,
    ...(metrics && { metrics }),
  });
}

interface ServedWebhooks {
  readonly operator: AssembledOperator;
  readonly server: WebhookServer;
  readonly certificate: ChosenCertificate;
  readonly drain: WebhookDrain;
}

function opened(
  { operator, server, certificate: { local, conversionWebhook, ...certificate }, drain }: ServedWebhooks,
  { client, logger }: WebhookServices,
): OpenedWebhooks {
  let installed: AsyncDisposable | undefined;
  return {
    handler: server.handler,
    check: () => server.check(),
    conversionWebhook,
    install: async () => {
      if (local === undefined) return;
      installed = await installWebhooks(operator.webhooks, { client, operator: operator.name, ...local });
      logger.info({ url: local.url }, "Installed the webhook configurations, for as long as this process runs");
    },
    close: async () => {
      try {
        await installed?.[Symbol.asyncDispose]();
      } catch (err) {
        logger.error({ err }, "Cannot delete the webhook configurations: delete them, else they reject requests");
      }
      await drain.ended();
      await server.close();
      await certificate.close();
    },
  };
}

/** The resources that an operator's conversion webhook converts. */
export function convertedBy(operator: AssembledOperator): ReadonlySet<ResourceDefinition> {
  const definitions = webhookKinds(operator)
    .filter(isResource)
    .map(({ definition }) => definition);
  return new Set(definitions.filter(({ conversions }) => conversions !== undefined));
}

/** The kinds that the webhooks of an operator serve. */
function webhookKinds({ controllers, webhooks }: AssembledOperator): readonly AnyKind[] {
  return [
    ...controllers.flatMap(({ kind, owns }) => [kind, ...owns]),
    ...webhooks.flatMap(({ kind }) => (kind === undefined ? [] : [kind])),
  ];
}
