/** A request to an API server, over HTTPS or in process. */
export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path without query, for instance `/apis/apps/v1/namespaces/default/deployments`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Header names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value, whatever the content type; undefined for none. In process the receiver copies it once. */
  readonly body?: unknown;
  /**
   * The caller does not need `metadata.managedFields` of returned objects. A transport that parses bytes may then omit them, which saves about
   * half of the parsing. Optional for a transport.
   */
  readonly withoutManagedFields?: boolean;
  /** The response to `stream` is text, such as a followed log: its items are chunks of it. @default false: they are JSON values */
  readonly isText?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A complete response, successful or not. A failure status is a response, not an exception. */
export interface TransportResponse {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON value. In process it is the server's frozen value; text bodies are strings. */
  readonly body: unknown;
}

/** The response to a watch: a stream if the server accepted it, else an ordinary response. */
export type TransportStream =
  | {
      readonly kind: "stream";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /**
       * One parsed JSON value per watch event, or a chunk of text. Ends when the server closes the watch; throws a TRANSPORT_FAILED error when
       * the connection is lost. Returning from the loop or aborting the request's signal closes it.
       */
      readonly items: AsyncIterable<unknown>;
    }
  | { readonly kind: "answer"; readonly response: TransportResponse };

/** A request to upgrade to a WebSocket, such as for `pods/exec`. */
export interface TransportUpgrade extends Pick<TransportRequest, "path" | "headers" | "signal"> {
  /** A name may occur several times. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The subprotocols that the client speaks, preferred ones first. */
  readonly protocols: readonly string[];
}

/** A WebSocket: messages of bytes in both directions. */
export interface TransportSocket {
  /** The subprotocol that the server selected. */
  readonly protocol: string;
  /**
   * The server's messages, for one reader. Ends when the server closes the WebSocket; throws a TRANSPORT_FAILED error when the connection is lost, and
   * the signal's reason when it was aborted.
   */
  readonly messages: AsyncIterable<Uint8Array>;
  /** Resolves when the next message can be sent without growing a buffer. Rejects as `messages` throws. */
  send(message: Uint8Array): Promise<void>;
  /** Closes the connection. */
  close(): void;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
}

/** The response to an upgrade: a WebSocket if the server accepted it, else an ordinary response. */
export type TransportConnection =
  | { readonly kind: "socket"; readonly socket: TransportSocket }
  | { readonly kind: "answer"; readonly response: TransportResponse };

/**
 * Sends requests to an API server, over HTTPS or in process.
 *
 * Rejects with a TRANSPORT_FAILED error if there is no response, and with the signal's reason if it was aborted.
 */
export interface Transport {
  /** The server's host and port, for metrics. Undefined in process. */
  readonly host?: string;
  /** Sends a request and reads the whole response. Rejects with TRANSPORT_FAILED when there is none, and with the signal's reason. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Sends a request and returns its response as a stream of events, or whole when it is not a 200. */
  stream(request: TransportRequest): Promise<TransportStream>;
  /**
   * Opens a WebSocket; the request's signal closes it. Never retried after the request was sent, because the server may have started what it is for.
   * Undefined where the server has no WebSockets: see {@link upgrade}.
   */
  connect?(request: TransportUpgrade): Promise<TransportConnection>;
  /** Closes open streams and connections. Resolves when they are closed. */
  close(): Promise<void>;
}

/** Opens a WebSocket. Over a transport without WebSockets the server receives the request without the upgrade, so that its rejection is the response. */
export async function upgrade(transport: Transport, request: TransportUpgrade): Promise<TransportConnection> {
  if (transport.connect !== undefined) return transport.connect(request);
  const { path, headers = {}, signal } = request;
  const query = Object.fromEntries(request.query);
  return { kind: "answer", response: await transport.send({ method: "GET", path, query, headers, signal }) };
}
