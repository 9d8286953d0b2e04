import { OperatorError } from "@kubewright/core/errors";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";

/** The response of a scripted server. The status defaults to 200. */
export type ScriptedResponse = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
};

/** A watch whose events the test sends. */
export class ScriptedWatch {
  readonly request: TransportRequest;
  readonly #items: unknown[] = [];
  #wake: (() => void) | undefined;
  #end: { readonly error?: unknown } | undefined;

  readonly #sent: (type: string, object: unknown) => void;

  constructor(request: TransportRequest, sent: (type: string, object: unknown) => void) {
    this.request = request;
    this.#sent = sent;
    request.signal?.addEventListener("abort", () => this.end(request.signal?.reason), { once: true });
  }

  /** Whether the reader has consumed all events and waits for more. */
  get waiting(): boolean {
    return this.#wake !== undefined;
  }

  send(type: string, object: unknown): void {
    this.#sent(type, object);
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

/** A transport whose server is a function. Records requests and watches. */
export class ScriptedTransport implements Transport {
  /** Without those for the server's version. */
  readonly requests: TransportRequest[] = [];
  readonly watches: ScriptedWatch[] = [];
  readonly #respond: (request: TransportRequest) => ScriptedResponse | undefined;
  /** The response to a watch; undefined opens a stream. */
  respondToWatch: (request: TransportRequest) => ScriptedResponse | undefined = () => undefined;

  /** The server's version, which a watch reads before it resumes after a failure; undefined: it is unreachable. */
  version: string | undefined = "999999999";
  /** The objects that were listed and sent, by name: a watch looks for the last one before it resumes after a failure. */
  readonly objects = new Map<string, unknown>();

  constructor(respond: (request: TransportRequest) => ScriptedResponse | undefined) {
    this.#respond = respond;
  }

  get lastRequest(): TransportRequest | undefined {
    return this.requests.at(-1);
  }

  get lastWatch(): ScriptedWatch {
    const watch = this.watches.at(-1);
    if (watch === undefined) throw new Error("No watch is open");
    return watch;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (request.query?.["limit"] === "1") {
      const { version } = this;
      const named = this.objects.get(request.query["fieldSelector"]?.replace("metadata.name=", "") ?? "");
      const body = { metadata: { resourceVersion: version }, items: named === undefined ? [] : [named] };
      return complete(version === undefined ? undefined : { body });
    }
    this.requests.push(request);
    const response = complete(this.#respond(request));
    const { items } = (response.body ?? {}) as { readonly items?: readonly unknown[] };
    for (const item of Array.isArray(items) ? items : []) this.#keep("ADDED", item);
    return response;
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const response = this.respondToWatch(request);
    if (response !== undefined) return { kind: "answer", response: complete(response) };
    const watch = new ScriptedWatch(request, (type, object) => this.#keep(type, object));
    this.watches.push(watch);
    return { kind: "stream", status: 200, headers: {}, items: watch.items() };
  }

  async close(): Promise<void> {}

  #keep(type: string, object: unknown): void {
    const { metadata } = (object ?? {}) as { readonly metadata?: { readonly name?: unknown } };
    if (typeof metadata?.name !== "string" || type === "BOOKMARK") return;
    if (type === "DELETED") this.objects.delete(metadata.name);
    else this.objects.set(metadata.name, object);
  }
}

function complete(response: ScriptedResponse | undefined): TransportResponse {
  if (response === undefined) throw new OperatorError("TRANSPORT_FAILED", "connection refused");
  return { status: response.status ?? 200, headers: response.headers ?? {}, body: response.body };
}

/** A `Status` with a failure. */
export function failure(status: number, reason: string, message: string, name?: string): ScriptedResponse {
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

/** Runs pending promise callbacks. */
export async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}
