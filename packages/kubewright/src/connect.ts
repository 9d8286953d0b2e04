import { systemClock } from "@kubewright/core/clock";
import { type Client, type ClientOptions, createClient } from "./client/index.js";
import type { HttpsTransportOptions, LoadConnectionOptions } from "./transport/index.js";

/** A client that owns its connections. */
export interface ConnectedClient extends Client, AsyncDisposable {
  /** Closes every connection; watches end. */
  close(): Promise<void>;
}

/**
 * A client for the API server of the kubeconfig or of the pod's service account.
 *
 * Sends nothing yet. Rejects with CONFIG_INVALID when there is no usable configuration.
 *
 * @example
 * await using client = await connect();
 * for await (const site of client.list(Website, { labels: { team: "a" } })) console.log(site.metadata.name);
 */
export async function connect(
  options: LoadConnectionOptions & ClientOptions & Partial<HttpsTransportOptions> = {},
): Promise<ConnectedClient> {
  const { HttpsTransport, loadConnection } = await import("./transport/index.js");
  const connection = await loadConnection(options);
  const transport = new HttpsTransport(connection, { clock: systemClock, ...options });
  const client = createClient(transport, { namespace: connection.namespace, ...options });
  const close = (): Promise<void> => transport.close();
  return Object.assign(client, { close, [Symbol.asyncDispose]: close });
}
