import { connect, type TLSSocket } from "node:tls";

/** One AdmissionReview request, and what its response must contain. */
export interface Review {
  readonly path: string;
  readonly body: string;
  readonly expected: string;
}

/**
 * One keep-alive connection to a webhook server, with HTTP/1.1.
 *
 * It reads no more of a response than it needs: a complete HTTP client takes as much CPU time as a webhook server, and would be what is measured.
 */
export class ReviewConnection {
  readonly #socket: TLSSocket;
  #received = "";
  #pending:
    | { readonly review: Review; readonly resolve: () => void; readonly reject: (error: Error) => void }
    | undefined;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("data", (data: string) => this.#receive(data));
    socket.on("error", (error) => this.#pending?.reject(error));
    socket.on("close", () => this.#pending?.reject(new Error("The server closed the connection")));
  }

  /** Resolves after the TLS handshake. */
  static open(port: number, ca: string): Promise<ReviewConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, ca }, () => resolve(new ReviewConnection(socket)));
      socket.once("error", reject);
    });
  }

  /** Sends a review. Resolves with the response; rejects when it is another one than expected. */
  send(review: Review): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending = { review, resolve, reject };
      this.#socket.write(requestOf(review));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(data: string): void {
    this.#received += data;
    const pending = this.#pending;
    if (pending === undefined || !isComplete(this.#received)) return;
    const response = this.#received;
    this.#received = "";
    this.#pending = undefined;
    if (response.startsWith("HTTP/1.1 200 ") && response.includes(pending.review.expected)) pending.resolve();
    else pending.reject(new Error(`Unexpected response of ${pending.review.path}: ${response}`));
  }
}

const requests = new WeakMap<Review, Buffer>();

/** The bytes of a request, as kube-apiserver sends it. */
function requestOf(review: Review): Buffer {
  const known = requests.get(review);
  if (known !== undefined) return known;
  const lines = [
    `POST ${review.path}?timeout=10s HTTP/1.1`,
    "Host: webhooks.default.svc:443",
    "User-Agent: kube-apiserver-admission",
    `Content-Length: ${Buffer.byteLength(review.body)}`,
    "Accept: application/json, */*",
    "Content-Type: application/json",
    "Accept-Encoding: gzip",
  ];
  const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${review.body}`);
  requests.set(review, bytes);
  return bytes;
}

function isComplete(received: string): boolean {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const [, length] = /^content-length: (\d+)/im.exec(received.slice(0, end)) ?? [];
  return length === undefined ? received.endsWith("\r\n0\r\n\r\n") : received.length >= end + 4 + Number(length);
}
