import {
  type Transport,
  type TransportConnection,
  type TransportRequest,
  type TransportResponse,
  type TransportSocket,
  type TransportStream,
  type TransportUpgrade,
  upgrade,
} from "@kubewright/core/transport";
import type { ExecResult } from "kubewright/client";

/** A command that an operator runs in a container. */
export interface SimulatedCommand {
  readonly namespace: string;
  readonly pod: string;
  /** Undefined where the operator named none. */
  readonly container: string | undefined;
  readonly command: readonly string[];
  readonly stdin: string;
}

/** Runs a command in place of a container. What is left out of the result is 0 or empty; what it throws fails the call. */
export type SimulatedExec = (command: SimulatedCommand) => Partial<ExecResult> | Promise<Partial<ExecResult>>;

/**
 * Forwards requests, and runs the commands of `exec` where the server has no container to run them in. Its rejections stay: no such Pod or container,
 * no node, forbidden.
 */
export class SimulatedExecTransport implements Transport {
  readonly #inner: Transport;
  readonly #exec: SimulatedExec;

  constructor(inner: Transport, exec: SimulatedExec) {
    this.#inner = inner;
    this.#exec = exec;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#inner.send(request);
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#inner.stream(request);
  }

  async connect(request: TransportUpgrade): Promise<TransportConnection> {
    const connection = await upgrade(this.#inner, request);
    const [, namespace, pod] = /\/namespaces\/([^/]+)\/pods\/([^/]+)\/exec$/.exec(request.path) ?? [];
    const isRejected = connection.kind === "socket" || connection.response.status < 500;
    if (isRejected || namespace === undefined || pod === undefined) return connection;
    const query = new URLSearchParams(request.query.map(([name, value]): [string, string] => [name, value]));
    const container = query.get("container") ?? undefined;
    const socket = new SimulatedSocket(request, query.has("stdin"), (stdin) =>
      this.#exec({ namespace, pod, container, command: query.getAll("command"), stdin }),
    );
    return { kind: "socket", socket };
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** The kubelet's side of `v5.channel.k8s.io`, for one command. */
class SimulatedSocket implements TransportSocket {
  readonly protocol: string;
  readonly closed: Promise<void>;
  readonly #signal: AbortSignal | undefined;
  readonly #run: (stdin: string) => ReturnType<SimulatedExec>;
  readonly #input: Uint8Array[] = [];
  readonly #inputEnded: Promise<void>;
  #endInput = (): void => {};
  #close = (): void => {};

  constructor(
    { protocols, signal }: TransportUpgrade,
    hasInput: boolean,
    run: (stdin: string) => ReturnType<SimulatedExec>,
  ) {
    [this.protocol = ""] = protocols;
    this.#signal = signal;
    this.#run = run;
    this.#inputEnded = hasInput
      ? new Promise((resolve) => {
          this.#endInput = resolve;
        })
      : Promise.resolve();
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  get messages(): AsyncIterable<Uint8Array> {
    return this.#messages();
  }

  async send(message: Uint8Array): Promise<void> {
    this.#signal?.throwIfAborted();
    if (message[0] === 0) this.#input.push(message.subarray(1));
    else this.#endInput();
  }

  close(): void {
    this.#close();
  }

  async *#messages(): AsyncGenerator<Uint8Array, void> {
    const signal = this.#signal;
    let onAbort = (): void => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
    try {
      signal?.throwIfAborted();
      const { exitCode = 0, stdout = "", stderr = "" } = await Promise.race([this.#result(), aborted]);
      if (stdout !== "") yield message(1, stdout);
      if (stderr !== "") yield message(2, stderr);
      yield message(3, JSON.stringify(statusOf(exitCode)));
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async #result(): Promise<Partial<ExecResult>> {
    await this.#inputEnded;
    return this.#run(Buffer.concat(this.#input).toString("utf8"));
  }
}

function message(channel: number, text: string): Uint8Array {
  return Buffer.concat([Buffer.of(channel), Buffer.from(text)]);
}

/** As the kubelet reports it. */
function statusOf(exitCode: number): object {
  if (exitCode === 0) return { metadata: {}, status: "Success" };
  const causes = [{ reason: "ExitCode", message: String(exitCode) }];
  return { metadata: {}, status: "Failure", reason: "NonZeroExitCode", details: { causes } };
}
