import type { WebhookServer, WebhookServerOptions } from "./webhook-options.js";

/**
 * Serves webhooks over HTTPS for an API server.
 *
 * Rejects with CONFIG_INVALID when there is no certificate or the address is not available. Reloads the certificate when its files change; keeps
 * the old one, and logs a warning, when the new one is invalid.
 *
 * @example
 * await using server = await serveWebhooks({ resources: [Website], address: ":9443", certDir: "/certs" });
 */
export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  // Loaded on first use: importing an operator's module needs no HTTPS server.
  const { startWebhookServer } = await import("./webhook-server.js");
  return startWebhookServer(options);
}
