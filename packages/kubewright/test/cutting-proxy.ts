import { createConnection, createServer, type Server, type Socket } from "node:net";

/** A loopback TCP proxy that a test lets fail: it can cut what is open, refuse what is new, and stop in the middle of an answer. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #refusing = false;
  /** How many bytes of answers are let through before each connection that is open then is cut; undefined for all. */
  #bytesLeft: number | undefined;
  /** How many connections were cut. */
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

  /** Cuts everything after so many more bytes of answers: in the middle of whatever they are in. */
  cutAfter(bytes: number): void {
    this.#bytesLeft = bytes;
  }

  /** Cuts everything that is open. */
  cut(): void {
    this.#bytesLeft = undefined;
    this.cuts += this.#open.size / 2;
    for (const socket of this.#open) socket.destroy();
  }

  /** Cuts everything, and refuses what is new until `accept`. */
  refuse(): void {
    this.#refusing = true;
    this.cut();
  }

  accept(): void {
    this.#refusing = false;
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
