import { OperatorError } from "@kubewright/core/errors";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";

/** What a scripted server answers: a body (200), or a whole answer. */
export type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown };

/** A watch that a test feeds by hand. */
export class ScriptedWatch {
  readonly request: TransportRequest;
  readonly #items: unknown[] = [];
  #wake: (() => void) | undefined;
  #end: { readonly error?: unknown } | undefined;

  constructor(request: TransportRequest) {
    this.request = request;
    request.signal?.addEventListener("abort", () => this.end(request.signal?.reason), { once: true });
  }

  /** Whether the reader has taken everything and waits for more. */
  get waiting(): boolean {
    return this.#wake !== undefined;
  }

  send(type: string, object: unknown): void {
    this.#items.push({ type, object });
    this.#wake?.();
  }

  sendRaw(value: unknown): void {
    this.#items.push(value);
    this.#wake?.();
  }

  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake?.();
  }

  async *items(): AsyncIterable<unknown> {
    for (;;) {
      if (this.#items.length > 0) yield this.#items.shift();
      else if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    }
  }
}

/** A transport whose server is a function in the test. Requests and watches are kept for inspection. */
export class ScriptedTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  readonly watches: ScriptedWatch[] = [];
  readonly #answer: (request: TransportRequest) => Answer | undefined;
  /** Instead of a stream, when it gives something. */
  answerWatch: (request: TransportRequest) => Answer | undefined = () => undefined;

  constructor(answer: (request: TransportRequest) => Answer | undefined) {
    this.#answer = answer;
  }

  get lastRequest(): TransportRequest | undefined {
    return this.requests.at(-1);
  }

  get lastWatch(): ScriptedWatch {
    const watch = this.watches.at(-1);
    if (watch === undefined) throw new Error("Nothing is watched");
    return watch;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request);
    return complete(this.#answer(request));
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const answer = this.answerWatch(request);
    if (answer !== undefined) return { kind: "answer", response: complete(answer) };
    const watch = new ScriptedWatch(request);
    this.watches.push(watch);
    return { kind: "stream", status: 200, headers: {}, items: watch.items() };
  }

  async close(): Promise<void> {}
}

function complete(answer: Answer | undefined): TransportResponse {
  if (answer === undefined) throw new OperatorError("TRANSPORT_FAILED", "connection refused");
  return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: answer.body };
}

/** A `Status` that refuses. */
export function failure(status: number, reason: string, message: string, name?: string): Answer {
  const details = name === undefined ? {} : { details: { name } };
  return {
    status,
    body: {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      reason,
      message,
      code: status,
      ...details,
    },
  };
}

/** Lets everything that is ready run: promises and what follows from them. */
export async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}
