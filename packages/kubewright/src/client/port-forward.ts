import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { OperatorError } from "@kubewright/core/errors";
import type { TransportSocket } from "@kubewright/core/transport";
import type { Intent } from "./request-failure.js";

/** Which port of a Pod is forwarded. */
export interface PortForwardOptions {
  /** Of the Pod. */
  readonly port: number;
  /** On 127.0.0.1. @default a free one */
  readonly localPort?: number;
  /** Called with the reason when a connection fails; it is then closed. @default it is only closed */
  readonly onError?: (error: unknown) => void;
  /** Closes the port and all its connections. */
  readonly signal?: AbortSignal;
}

/** A port of this machine whose connections lead to a Pod. */
export interface PortForward extends AsyncDisposable {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Closes the port and all its connections. */
  close(): Promise<void>;
}

/** Opens a WebSocket for a connection, and closes it afterwards. */
type OpenSocket = (use: (socket: TransportSocket) => Promise<void>, signal: AbortSignal) => Promise<void>;

/** The first byte of each message; the first message of each channel has the port. */
const channels = { data: 0, error: 1 } as const;
/** The channels of one port. Newer protocols tunnel SPDY. */
export const portForwardProtocols = ["v4.channel.k8s.io"];
/** As kubectl sends it. */
const chunkBytes = 32 * 1024;
const maxErrorBytes = 64 * 1024;

/** Listens on 127.0.0.1, and forwards each connection through a WebSocket of its own. */
export async function listenForPod(
  open: OpenSocket,
  options: PortForwardOptions,
  intent: Intent,
): Promise<PortForward> {
  const { localPort = 0, onError, signal } = options;
  signal?.throwIfAborted();
  const closing = new AbortController();
  const connections = new Map<Socket, Promise<void>>();
  // A client may end its side, and still read the response.
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connection.on("error", () => connection.destroy());
    const forwarded = open((socket) => forward(connection, socket), closing.signal)
      .catch((error: unknown) => {
        if (!closing.signal.aborted) onError?.(error);
      })
      .finally(() => {
        connection.destroy();
        connections.delete(connection);
      });
    connections.set(connection, forwarded);
  });
  server.listen(localPort, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : localPort;
  const close = async (): Promise<void> => {
    signal?.removeEventListener("abort", onAbort);
    closing.abort(new OperatorError("TRANSPORT_FAILED", `Cannot ${intent.verb} ${intent.object}: it was closed`));
    server.close();
    for (const connection of connections.keys()) connection.destroy();
    await Promise.all(connections.values());
  };
  const onAbort = (): void => void close();
  signal?.addEventListener("abort", onAbort, { once: true });
  return { port, close, [Symbol.asyncDispose]: close };
}

/** Copies bytes in both directions until the Pod's side ends. Throws what the server reports, such as a refused connection. */
async function forward(connection: Socket, socket: TransportSocket): Promise<void> {
  connection.once("close", () => socket.close());
  const sending = send(connection, socket);
  // Its failure shows in the messages too, or the connection is closed already.
  sending.catch(() => undefined);
  const started = new Set<number | undefined>();
  let failure: string | undefined;
  for await (const message of socket.messages) {
    const [channel] = message;
    if (!started.has(channel)) {
      started.add(channel);
      continue;
    }
    const data = message.subarray(1);
    if (channel === channels.data && !connection.destroyed && !connection.write(data))
      await Promise.race([once(connection, "drain"), once(connection, "close")]);
    if (channel !== channels.error || data.length === 0) continue;
    // One message has all of it, and the server may keep the connection open afterwards.
    failure = Buffer.from(data.subarray(0, maxErrorBytes)).toString("utf8").trim();
    break;
  }
  if (failure !== undefined) throw new Error(failure);
  connection.end();
  if (!connection.destroyed && !connection.writableFinished)
    await Promise.race([once(connection, "finish"), once(connection, "close")]);
}

async function send(connection: Socket, socket: TransportSocket): Promise<void> {
  for await (const chunk of connection) {
    const bytes = chunk as Buffer;
    for (let start = 0; start < bytes.length; start += chunkBytes)
      await socket.send(Buffer.concat([Buffer.of(channels.data), bytes.subarray(start, start + chunkBytes)]));
  }
}
