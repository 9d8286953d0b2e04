import { createHash, randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import type { TransportSocket } from "@kubewright/core/transport";
import type { Dispatcher } from "undici";
import { Collector, flatHeaders, type RawResponse } from "./buffered-response.js";
import { clientFrame, type WebSocketFrame, WebSocketReader } from "./web-socket-frames.js";

/** Limit of one message; servers of Kubernetes send at most some ten kilobytes at once. */
const maxMessageBytes = 4 * 1024 * 1024;
/** Backpressure: reading from the socket pauses above this many buffered bytes. */
const waitingLimit = 1024 * 1024;
/** Appended to the key of the handshake (RFC 6455, section 1.3). */
const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** An accepted upgrade. */
export interface Upgraded {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly socket: TransportSocket;
}

/** How a WebSocket is opened, and what ends it. */
export interface WebSocketOptions {
  /** The subprotocols that the client speaks, preferred ones first. */
  readonly protocols: readonly string[];
  /** Aborts the handshake, and closes the open WebSocket. */
  readonly signal: AbortSignal | undefined;
  /** Aborts when the transport is closed. */
  readonly closing: AbortSignal;
  /** Makes the error of a failed WebSocket. */
  readonly describe: (cause: unknown) => unknown;
}

/**
 * Upgrades a request to a WebSocket, on a connection of `dispatcher`.
 *
 * Resolves with the ordinary response of a server that does not upgrade. Rejects with undici's error or the reason of the signal. Undici's own
 * WebSocket reports neither that response nor why a connection failed, and knows one value per header.
 */
export function openWebSocket(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions & { readonly headers: readonly string[] },
  options: WebSocketOptions,
): Promise<Upgraded | RawResponse> {
  const key = randomBytes(16).toString("base64");
  const handshake = ["sec-websocket-version", "13", "sec-websocket-key", key];
  for (const protocol of options.protocols) handshake.push("sec-websocket-protocol", protocol);
  const upgrade = { ...request, headers: [...request.headers, ...handshake], upgrade: "websocket" };
  return new Promise((resolve, reject) => {
    const accept: Accept = (response, socket) => {
      try {
        const protocol = selectedProtocol(response.headers, key, options.protocols);
        resolve({ ...response, socket: new WebSocketConnection(socket, protocol, options) });
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    };
    dispatcher.dispatch(upgrade, new Upgrader(accept, resolve, reject, options.signal));
  });
}

/** Throws unless the server completed the handshake. */
function selectedProtocol(headers: Upgraded["headers"], key: string, protocols: readonly string[]): string {
  const expected = createHash("sha1")
    .update(key + acceptSuffix)
    .digest("base64");
  if (headers["sec-websocket-accept"] !== expected)
    throw new Error("the server did not complete the WebSocket handshake; check for a proxy in between");
  const protocol = headers["sec-websocket-protocol"] ?? "";
  if (!protocols.includes(protocol))
    throw new Error(`the server selected the WebSocket protocol "${protocol}" instead of ${protocols.join(" or ")}`);
  return protocol;
}

type Accept = (response: Omit<Upgraded, "socket">, socket: Duplex) => void;

class Upgrader extends Collector {
  readonly #accept: Accept;

  constructor(accept: Accept, ...response: ConstructorParameters<typeof Collector>) {
    super(...response);
    this.#accept = accept;
  }

  onRequestUpgrade(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    socket: Duplex,
  ): void {
    this.settle();
    this.#accept({ status, headers: flatHeaders(headers) }, socket);
  }
}

/** The client's side of an open WebSocket. */
class WebSocketConnection implements TransportSocket {
  readonly protocol: string;
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #signals: readonly AbortSignal[];
  readonly #describe: WebSocketOptions["describe"];
  readonly #reader = new WebSocketReader(maxMessageBytes);
  readonly #onAbort = () => this.#end({ error: this.#signals.find(({ aborted }) => aborted)?.reason });
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #ended: { readonly error?: unknown } | undefined;
  /** Wakes the reader that waits for a message. */
  #wakeReader = (): void => {};
  /** Wakes senders that wait for the network. */
  #wakeSenders: (() => void)[] = [];

  constructor(socket: Duplex, protocol: string, { signal, closing, describe }: WebSocketOptions) {
    this.#socket = socket;
    this.protocol = protocol;
    this.#signals = signal === undefined ? [closing] : [signal, closing];
    this.#describe = describe;
    this.closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("drain", () => this.#releaseSenders());
    socket.on("error", (error) => this.#end({ error: describe(error) }));
    socket.on("close", () => this.#end({ error: describe(new Error("the connection was lost")) }));
    for (const one of this.#signals) one.addEventListener("abort", this.#onAbort, { once: true });
    this.#checkSignals();
  }

  get messages(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async send(message: Uint8Array): Promise<void> {
    this.#checkSignals();
    this.#mustBeOpen();
    if (this.#socket.write(clientFrame("binary", message))) return;
    await new Promise<void>((resolve) => this.#wakeSenders.push(resolve));
    this.#mustBeOpen();
  }

  close(): void {
    if (this.#ended !== undefined) return;
    this.#settle({});
    // Without a reader at the other end the close frame would never leave.
    if (this.#socket.writableNeedDrain) this.#socket.destroy();
    else this.#socket.end(closeFrame(1000), () => this.#socket.destroy());
  }

  async *#read(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message !== undefined) {
        this.#waitingBytes -= message.length;
        if (this.#waitingBytes < waitingLimit && this.#socket.isPaused()) this.#socket.resume();
        yield message;
        continue;
      }
      if (this.#ended !== undefined) {
        if ("error" in this.#ended) throw this.#ended.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  #receive(chunk: Buffer): void {
    if (this.#ended !== undefined) return;
    try {
      for (const frame of this.#reader.push(chunk)) this.#take(frame);
    } catch (error) {
      this.#end({ error: this.#describe(error) });
    }
  }

  #take(frame: WebSocketFrame): void {
    switch (frame.kind) {
      case "message":
        this.#waiting.push(frame.data);
        this.#waitingBytes += frame.data.length;
        if (this.#waitingBytes > waitingLimit) this.#socket.pause();
        this.#wakeReader();
        return;
      case "ping":
        this.#socket.write(clientFrame("pong", frame.data));
        return;
      case "close": {
        const { code, reason } = frame;
        // 1005: without a code.
        if (code === 1000 || code === 1005) {
          this.close();
          return;
        }
        const why = reason === "" ? "" : `: ${reason}`;
        this.#end({ error: this.#describe(new Error(`the server closed the WebSocket with code ${code}${why}`)) });
        return;
      }
      default:
        frame satisfies never;
    }
  }

  #mustBeOpen(): void {
    if (this.#ended === undefined) return;
    throw "error" in this.#ended ? this.#ended.error : this.#describe(new Error("the WebSocket is closed"));
  }

  /** The signal of a leader checks the lease whenever it is read. */
  #checkSignals(): void {
    if (this.#signals.some(({ aborted }) => aborted)) this.#onAbort();
  }

  #end(end: { readonly error: unknown }): void {
    this.#settle(end);
    this.#socket.destroy();
  }

  #settle(end: { readonly error?: unknown }): void {
    for (const one of this.#signals) one.removeEventListener("abort", this.#onAbort);
    this.#ended ??= end;
    this.#wakeReader();
    this.#releaseSenders();
  }

  #releaseSenders(): void {
    for (const wake of this.#wakeSenders.splice(0)) wake();
  }
}

function closeFrame(code: number): Buffer {
  const data = Buffer.alloc(2);
  data.writeUInt16BE(code);
  return clientFrame("close", data);
}
