import type { WebhookServer, WebhookServerOptions } from "./webhook-options.js";

/**
 * Serves webhooks over HTTPS, for an API server to call.
 *
 * Rejects with CONFIG_INVALID when there is no certificate or the address cannot be listened on. A certificate that is renewed in its folder
 * is taken up; one that cannot be read then is logged, and the old one stays.
 */
export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  // Loaded when it is used: describing an operator needs no HTTPS server.
  const { startWebhookServer } = await import("./webhook-server.js");
  return startWebhookServer(options);
}
