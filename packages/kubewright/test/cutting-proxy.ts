import { createConnection, createServer, type Server, type Socket } from "node:net";

/**
 * A loopback TCP proxy with faults: it can drop open connections, refuse new ones, drop them in the middle of a response, and stall: connections stay
 * open, and no byte passes, as behind a half-open connection.
 */
export class CuttingProxy {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #refusing = false;
  #stalled = false;
  /** Response bytes to forward before all open connections are dropped; undefined: no limit. */
  #bytesLeft: number | undefined;
  /** Number of dropped connections. */
  cuts = 0;

  private constructor(targetPort: number) {
    this.#server = createServer((client) => {
      if (this.#refusing) {
        client.destroy();
        return;
      }
      const target = createConnection(targetPort, "127.0.0.1");
      for (const [socket, other] of [
        [client, target],
        [target, client],
      ] as const) {
        this.#open.add(socket);
        socket.on("error", () => other.destroy());
        socket.on("close", () => {
          this.#open.delete(socket);
          other.destroy();
        });
      }
      client.on("data", (bytes) => target.write(bytes));
      target.on("data", (bytes) => this.#pass(bytes, client));
      // A listener for data makes a socket flow.
      if (this.#stalled) for (const socket of [client, target]) socket.pause();
    });
  }

  static async start(targetPort: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Drops all connections after this many more response bytes. */
  cutAfter(bytes: number): void {
    this.#bytesLeft = bytes;
  }

  /** Drops all open connections. */
  cut(): void {
    this.#bytesLeft = undefined;
    this.cuts += this.#open.size / 2;
    for (const socket of this.#open) socket.destroy();
  }

  /** Drops all connections, and refuses new ones until `accept`. */
  refuse(): void {
    this.#refusing = true;
    this.cut();
  }

  accept(): void {
    this.#refusing = false;
  }

  /** Holds all bytes back, in both directions, until `resume`. */
  stall(): void {
    this.#stalled = true;
    for (const socket of this.#open) socket.pause();
  }

  resume(): void {
    this.#stalled = false;
    for (const socket of this.#open) socket.resume();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #pass(bytes: Buffer, client: Socket): void {
    if (this.#bytesLeft === undefined) {
      client.write(bytes);
      return;
    }
    const passed = bytes.subarray(0, this.#bytesLeft);
    this.#bytesLeft -= passed.length;
    client.write(passed);
    if (this.#bytesLeft === 0) this.cut();
  }
}
