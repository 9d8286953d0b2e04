import type { WebhookTransport } from "@kubewright/cluster";
import type { Client, Operator } from "kubewright";
import { createWebhookHandler, installWebhooks, type WebhookHandler, webhookNames } from "kubewright/webhook";
import { resourcesOf } from "../resources-of.js";

const namespace = "default";

/** The webhooks of the operator that runs now, which the embedded cluster calls in process. */
export class DevWebhooks {
  #handler: WebhookHandler | undefined;
  #installed: AsyncDisposable | undefined;

  /** For the embedded cluster. */
  readonly transport: WebhookTransport = (request) =>
    this.#handler
      ?.handle(request.path, request.review, request)
      .then((body) => (body === undefined ? { status: 404, body: {} } : { status: 200, body }));

  /** Where CRDs find the conversion functions. */
  static conversionWebhook({ name }: Operator) {
    return { service: { namespace, name: webhookNames(name).service, path: "/convert" } };
  }

  /** Calls the functions of this operator from now on. */
  handlerOf(operator: Operator): WebhookHandler {
    this.#handler = createWebhookHandler({ webhooks: operator.webhooks, resources: resourcesOf(operator) });
    return this.#handler;
  }

  /** Installs the configurations, and removes those of the operator before. */
  async install(operator: Operator, client: Client): Promise<void> {
    const { name, webhooks } = operator;
    const before = this.#installed;
    const service = { namespace, name: webhookNames(name).service };
    this.#installed = undefined;
    if (webhooks.length === 0) await before?.[Symbol.asyncDispose]();
    else this.#installed = await installWebhooks(webhooks, { client, operator: name, service });
  }
}
