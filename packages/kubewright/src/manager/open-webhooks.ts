import { CertificateAuthority } from "@kubewright/core/certificates";
import type { Logger } from "@kubewright/core/log";
import type { Client } from "../client/index.js";
import { type AnyKind, isResource, type ResourceDefinition } from "../definition/index.js";
import type { OperatorMetrics } from "../metrics/index.js";
import {
  createWebhookHandler,
  installWebhooks,
  type ServingCertificate,
  serveWebhooks,
  type WebhookHandler,
  type WebhookServer,
} from "../webhook/index.js";
import type { AssembledOperator } from "./assemble-operator.js";
import type { HealthCheck } from "./health-checks.js";

/** Where the webhooks of an operator are served. */
export interface WebhookServingOptions {
  /**
   * Serves the webhooks of the operator: conversions at `/convert`, defaulters and validators at the paths of controller-runtime. `false` turns it off.
   * @default ":9443" for an operator with `webhooks`, else not served
   */
  readonly webhookAddress?: string | false;
  /** Where the webhooks' `tls.crt` and `tls.key` are. @default "/tmp/k8s-webhook-server/serving-certs" */
  readonly webhookCertDir?: string;
  /**
   * For local development: the URL at which the API server reaches this process, such as `https://127.0.0.1:9443`, or that of a tunnel that forwards TCP. The
   * operator then serves a certificate of its own for that host, installs its webhook configurations with that URL, and deletes them when it stops.
   * `installCRDs` refers conversions to it. @default none: manifests have the configurations
   */
  readonly webhookUrl?: string;
}

/** The webhooks of a running process. */
export interface OpenedWebhooks extends Pick<WebhookServer, "close"> {
  readonly handler: WebhookHandler;
  readonly check: HealthCheck;
  /** How CRDs refer to the conversion webhook; undefined without `webhookUrl`. */
  readonly conversionWebhook: { readonly url: string; readonly caBundle: string } | undefined;
  /** With `webhookUrl`: installs the webhook configurations, after the CRDs. */
  install(): Promise<void>;
}

/** What the server of an operator's webhooks needs beside its options. */
export interface WebhookServices {
  readonly client: Client;
  readonly logger: Logger;
  readonly metrics: OperatorMetrics | undefined;
  readonly tracing: boolean;
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
  { client, logger, metrics, tracing }: WebhookServices,
): Promise<OpenedWebhooks | undefined> {
  if (!servesWebhooks(operator, options)) return undefined;
  const { webhookAddress, webhookCertDir: certDir = "/tmp/k8s-webhook-server/serving-certs", webhookUrl } = options;
  const address = typeof webhookAddress === "string" ? webhookAddress : ":9443";
  const handler = createWebhookHandler({
    webhooks: operator.webhooks,
    resources: webhookKinds(operator),
    logger,
    ...(metrics && { onFailure: () => metrics.webhookFailed() }),
  });
  const spans = tracing ? await (await import("../tracing/index.js")).createTracing() : undefined;
  const local = webhookUrl === undefined ? undefined : localCertificate(webhookUrl);
  const server = await serveWebhooks({
    handler,
    address,
    certDir,
    logger,
    ...(local && { certificate: local.certificate }),
    ...(metrics && { metrics }),
    ...(spans && { tracing: spans }),
  });
  let installed: AsyncDisposable | undefined;
  return {
    handler,
    check: () => server.check(),
    conversionWebhook: local && { url: `${local.url}/convert`, caBundle: local.caBundle },
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
      await server.close();
    },
  };
}

/** A certificate for the host of a URL, by a CA that exists as long as this process. */
function localCertificate(webhookUrl: string): {
  readonly url: string;
  readonly certificate: ServingCertificate;
  readonly caBundle: string;
} {
  const { hostname } = new URL(webhookUrl);
  const authority = new CertificateAuthority("kubewright-webhooks");
  return {
    url: webhookUrl.replace(/\/$/, ""),
    certificate: authority.issueServer(hostname, [hostname.replace(/^\[|\]$/g, "")]),
    caBundle: Buffer.from(authority.certificate).toString("base64"),
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
