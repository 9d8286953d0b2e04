import type { Logger } from "@kubewright/core/log";
import { type AnyKind, isResource, type ResourceDefinition } from "../definition/index.js";
import type { OperatorMetrics } from "../metrics/index.js";
import { createWebhookHandler, serveWebhooks, type WebhookHandler, type WebhookServer } from "../webhook/index.js";
import type { AssembledOperator } from "./assemble-operator.js";
import type { HealthCheck } from "./health-checks.js";

/** Where the webhooks of an operator are served. */
export interface WebhookServingOptions {
  /**
   * Serves the webhooks of the operator: conversions at `/convert`, defaulters and validators at the paths of controller-runtime. `false` turns it off, for
   * instance in a local run. @default ":9443" for an operator with `webhooks`, else not served
   */
  readonly webhookAddress?: string | false;
  /** Where the webhooks' `tls.crt` and `tls.key` are. @default "/tmp/k8s-webhook-server/serving-certs" */
  readonly webhookCertDir?: string;
}

/** The webhooks of a running process. */
export interface OpenedWebhooks extends Pick<WebhookServer, "close"> {
  readonly handler: WebhookHandler;
  readonly check: HealthCheck;
}

/** What the server of an operator's webhooks needs beside its options. */
export interface WebhookServices {
  readonly logger: Logger;
  readonly metrics: OperatorMetrics | undefined;
  readonly tracing: boolean;
}

/** Whether the options mean that webhooks are served. */
export function servesWebhooks(operator: AssembledOperator, { webhookAddress }: WebhookServingOptions): boolean {
  return webhookAddress === undefined ? operator.webhooks.length > 0 : webhookAddress !== false;
}

/** Serves the webhooks of an operator; undefined when they are not served. Resolves when the server listens. */
export async function openWebhooks(
  operator: AssembledOperator,
  options: WebhookServingOptions,
  { logger, metrics, tracing }: WebhookServices,
): Promise<OpenedWebhooks | undefined> {
  if (!servesWebhooks(operator, options)) return undefined;
  const { webhookAddress, webhookCertDir: certDir = "/tmp/k8s-webhook-server/serving-certs" } = options;
  const address = typeof webhookAddress === "string" ? webhookAddress : ":9443";
  const handler = createWebhookHandler({
    webhooks: operator.webhooks,
    resources: webhookKinds(operator),
    logger,
    ...(metrics && { onFailure: () => metrics.webhookFailed() }),
  });
  const spans = tracing ? await (await import("../tracing/index.js")).createTracing() : undefined;
  const server = await serveWebhooks({
    handler,
    address,
    certDir,
    logger,
    ...(metrics && { metrics }),
    ...(spans && { tracing: spans }),
  });
  return { handler, check: () => server.check(), close: () => server.close() };
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
