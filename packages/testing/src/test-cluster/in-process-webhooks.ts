import type { WebhookTransport } from "@kubewright/cluster";
import type { Clock } from "@kubewright/core/clock";
import type { Client, Operator } from "kubewright";
import { createWebhookHandler, installWebhooks, type WebhookHandler, webhookNames } from "kubewright/webhook";

/** The namespace of the operators' Services, which do not exist. */
const namespace = "default";

/**
 * The admission webhooks of operators in an embedded cluster, which calls them in process.
 *
 * They are served as long as the cluster runs, also while the operator is stopped, as if by another replica.
 */
export class InProcessWebhooks {
  readonly #handlers: ReadonlyMap<Operator, WebhookHandler>;
  readonly #byService: ReadonlyMap<string, WebhookHandler>;

  constructor(operators: readonly Operator[], clock: Clock) {
    const admitting = operators.filter(({ webhooks }) => webhooks.length > 0);
    this.#handlers = new Map(
      admitting.map((operator) => [operator, createWebhookHandler({ webhooks: operator.webhooks, clock })]),
    );
    this.#byService = new Map([...this.#handlers].map(([{ name }, handler]) => [webhookNames(name).service, handler]));
  }

  /** Handles the reviews that the cluster sends to the operators' Services. */
  readonly transport: WebhookTransport = (request) => {
    const { service, path, review } = request;
    const handler = service?.namespace === namespace ? this.#byService.get(service.name) : undefined;
    if (handler === undefined) return undefined;
    return handler
      .handle(path, review, request)
      .then((body) => (body === undefined ? { status: 404, body: {} } : { status: 200, body }));
  };

  handlerOf(operator: Operator): WebhookHandler | undefined {
    return this.#handlers.get(operator);
  }

  /** Installs the webhook configurations. */
  async install(client: Client): Promise<void> {
    for (const { name, webhooks } of this.#handlers.keys())
      await installWebhooks(webhooks, {
        client,
        operator: name,
        service: { namespace, name: webhookNames(name).service },
      });
  }
}
