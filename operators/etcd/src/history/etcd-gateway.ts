import type { Request } from "./operation.js";

/** What became of a request. `failed`: it had no effect. `unknown`: it may have had one, or have one later. */
export type Attempt =
  | { readonly kind: "completed"; readonly found?: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };

/** The largest response that is read. */
const maxResponseBytes = 1_048_576;

/** Sends requests for keys to the JSON gateway of etcd, each once: a repeated write could happen twice. */
export class EtcdGateway {
  readonly #endpoints: readonly string[];
  #next: number;

  /** `first` selects the endpoint of the first request, modulo their number. */
  constructor(endpoints: readonly string[], first: number) {
    this.#endpoints = endpoints;
    this.#next = first;
  }

  /** Never throws. After anything but a completed request, the next one goes to the next endpoint. */
  async send(key: string, request: Request, signal: AbortSignal): Promise<Attempt> {
    const endpoint = this.#endpoints[this.#next % this.#endpoints.length] ?? "";
    const { path, body } = bodyOf(key, request);
    try {
      const response = await fetch(new URL(path, endpoint), { method: "POST", body: JSON.stringify(body), signal });
      const text = await readText(response);
      if (!response.ok) throw new Error(`HTTP ${response.status}: ${text.slice(0, 200)}`);
      return completed(request, JSON.parse(text));
    } catch (error) {
      this.#next++;
      const reason = reasonOf(error);
      // A get changes nothing, and a connection that was refused carried nothing. All else may have reached the log of etcd.
      const hadNoEffect = request.kind === "get" || reason.includes("ECONNREFUSED");
      return { kind: hadNoEffect ? "failed" : "unknown", reason };
    }
  }
}

function bodyOf(key: string, request: Request): { readonly path: string; readonly body: object } {
  const name = base64(key);
  const range = { key: name };
  switch (request.kind) {
    case "get":
      return { path: "/v3/kv/range", body: range };
    case "put":
      return request.value === undefined
        ? { path: "/v3/kv/deleterange", body: range }
        : { path: "/v3/kv/put", body: { key: name, value: base64(request.value) } };
    case "swap": {
      const { expected, value } = request;
      const compare =
        expected === undefined
          ? { target: "CREATE", createRevision: "0" }
          : { target: "VALUE", value: base64(expected) };
      const write =
        value === undefined ? { requestDeleteRange: range } : { requestPut: { key: name, value: base64(value) } };
      return {
        path: "/v3/kv/txn",
        body: {
          compare: [{ key: name, result: "EQUAL", ...compare }],
          success: [write],
          failure: [{ requestRange: range }],
        },
      };
    }
    default:
      return request satisfies never;
  }
}

interface RangeResponse {
  readonly kvs?: readonly { readonly value?: string }[];
}

interface TxnResponse {
  readonly succeeded?: boolean;
  readonly responses?: readonly { readonly response_range?: RangeResponse }[];
}

function completed(request: Request, response: RangeResponse & TxnResponse): Attempt {
  if (request.kind === "put") return { kind: "completed" };
  if (request.kind === "get") return found(response);
  if (response.succeeded === true)
    return { kind: "completed", ...(request.expected !== undefined && { found: request.expected }) };
  return found(response.responses?.[0]?.response_range ?? {});
}

/** A value of no bytes is left out of the JSON. */
function found({ kvs: [first] = [] }: RangeResponse): Attempt {
  return first === undefined
    ? { kind: "completed" }
    : { kind: "completed", found: Buffer.from(first.value ?? "", "base64").toString() };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** The message, and those of the causes: fetch wraps the error of the connection. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? ` (${String(error.code)})` : "";
  return `${error.message}${code}${error.cause === undefined ? "" : `: ${reasonOf(error.cause)}`}`;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxResponseBytes) throw new Error(`etcd sent more than ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
