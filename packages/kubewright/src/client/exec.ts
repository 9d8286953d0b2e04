import { ApiError, type ApiStatus, isApiStatus, OperatorError } from "@kubewright/core/errors";
import { parseJson } from "@kubewright/core/json";
import type { TransportSocket } from "@kubewright/core/transport";
import type { AnyKind } from "../definition/index.js";
import type { CallOptions } from "./client-options.js";
import type { Intent } from "./request-failure.js";

/** Pod, also of another cluster. */
export type PodKind = AnyKind & { readonly id: "/v1/Pod" | `${string}:/v1/Pod` };

/** A command to run in a container. Its `timeout` is for the whole command. */
export interface ExecOptions extends CallOptions {
  /** The program and its arguments. No shell is involved; for one, use `["sh", "-c", script]`. */
  readonly command: readonly string[];
  /** Needed where the Pod has several containers and no default one. */
  readonly container?: string;
  /** What the command reads from its standard input, which ends after it. @default no standard input */
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Runs the command in a terminal: its standard error is then part of `stdout`. @default false */
  readonly tty?: boolean;
  /** Limit of `stdout` and `stderr` together: above it the call rejects with EXEC_FAILED. @default 1_048_576 */
  readonly maxOutputBytes?: number;
}

/** The main process of a container to attach to. Its `timeout` is for all of it. */
export interface AttachOptions extends Pick<ExecOptions, "container" | "stdin" | "tty" | keyof CallOptions> {
  /** Called with what the process writes from now on. @default it is dropped */
  readonly onOutput?: (output: Uint8Array, stream: "stdout" | "stderr") => void;
}

/** How a command ended. */
export interface ExecResult {
  /** 0 for success. A command that failed does not reject: its exit code is an answer too. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The first byte of each message (`channel.k8s.io`). */
const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 } as const;
/** Version 5 can end the standard input; servers before Kubernetes 1.30 know version 4. */
const [withClose, withoutClose] = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
/** As kubectl sends it. */
const inputBytes = 32 * 1024;
/** Limit of the exit status, which is a few hundred bytes. */
const maxStatusBytes = 64 * 1024;

interface StreamUpgrade {
  readonly query: [string, string][];
  readonly protocols: string[];
}

/** The query and the subprotocols of an upgrade that runs a command. Throws CONFIG_INVALID without a command. */
export function execUpgrade({ command, ...options }: ExecOptions, intent: Intent): StreamUpgrade {
  if (command.length === 0)
    throw new OperatorError("CONFIG_INVALID", `Cannot ${intent.verb} ${intent.object}: "command" is empty`);
  const { query, protocols } = attachUpgrade(options);
  return { query: [...command.map((part): [string, string] => ["command", part]), ...query], protocols };
}

/** The query and the subprotocols of an upgrade that attaches to a process. */
export function attachUpgrade({ container, stdin, tty = false }: AttachOptions): StreamUpgrade {
  const query: [string, string][] = [];
  if (container !== undefined) query.push(["container", container]);
  query.push(["stdout", "true"]);
  if (stdin !== undefined) query.push(["stdin", "true"]);
  query.push(tty ? ["tty", "true"] : ["stderr", "true"]);
  return { query, protocols: stdin === undefined ? [withClose, withoutClose] : [withClose] };
}

/**
 * Runs the command of an open WebSocket to its end.
 *
 * Throws an {@link ApiError} with the server's `Status` where the command could not be started, and EXEC_FAILED without an exit status and for too much
 * output.
 */
export async function exec(socket: TransportSocket, options: ExecOptions, intent: Intent): Promise<ExecResult> {
  const { stdin, maxOutputBytes = 1_048_576 } = options;
  const output = new CollectedOutput(maxOutputBytes, intent);
  const status = new ExitStatus(intent);
  await converse(socket, stdin, status, output);
  const exitCode = status.exitCode();
  return { exitCode, ...output.result() };
}

/**
 * Attaches to the process of an open WebSocket until it ends, or the server closes the connection. Throws an {@link ApiError} with the server's `Status`
 * where that was not possible.
 */
export async function attach(
  socket: TransportSocket,
  { stdin, onOutput }: AttachOptions,
  intent: Intent,
): Promise<void> {
  const status = new ExitStatus(intent);
  await converse(socket, stdin, status, { take: (data, stream) => onOutput?.(data, stream) });
  if (status.isKnown) status.exitCode();
}

/** Where the output of a process goes. */
interface OutputSink {
  take(data: Uint8Array, stream: "stdout" | "stderr"): void;
}

/** Sends the input, and reads all messages to their end. */
async function converse(
  socket: TransportSocket,
  stdin: ExecOptions["stdin"],
  status: ExitStatus,
  output: OutputSink,
): Promise<void> {
  let failedInput: { readonly error: unknown } | undefined;
  if (stdin !== undefined) {
    // A command may end before it has read all of its input: then its exit status counts.
    sendInput(socket, stdin).catch((error: unknown) => {
      failedInput = { error };
      socket.close();
    });
  }
  // The status may overtake the output: only the end of the messages is the end of both.
  for await (const message of socket.messages) {
    const data = message.subarray(1);
    if (message[0] === channels.stdout) output.take(data, "stdout");
    else if (message[0] === channels.stderr) output.take(data, "stderr");
    else if (message[0] === channels.status) status.take(data);
    // Servers may use channels that a client does not know.
  }
  if (!status.isKnown && failedInput !== undefined) throw failedInput.error;
}

async function sendInput(socket: TransportSocket, stdin: NonNullable<ExecOptions["stdin"]>): Promise<void> {
  const chunks = typeof stdin === "string" || stdin instanceof Uint8Array ? [Buffer.from(stdin)] : stdin;
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.length; start += inputBytes)
      await socket.send(Buffer.concat([Buffer.of(channels.stdin), chunk.subarray(start, start + inputBytes)]));
  await socket.send(Buffer.of(channels.close, channels.stdin));
}

/** What a command wrote, up to a limit. */
class CollectedOutput implements OutputSink {
  readonly #maxBytes: number;
  readonly #intent: Intent;
  readonly #chunks: Readonly<Record<"stdout" | "stderr", Uint8Array[]>> = { stdout: [], stderr: [] };
  #bytes = 0;

  constructor(maxBytes: number, intent: Intent) {
    this.#maxBytes = maxBytes;
    this.#intent = intent;
  }

  take(data: Uint8Array, stream: "stdout" | "stderr"): void {
    this.#bytes += data.length;
    if (this.#bytes > this.#maxBytes)
      throw execFailed(
        this.#intent,
        `it wrote more than ${this.#maxBytes} bytes; write less, or raise \`maxOutputBytes\`. It may still run`,
      );
    this.#chunks[stream].push(data);
  }

  result(): Pick<ExecResult, "stdout" | "stderr"> {
    return { stdout: textOf(this.#chunks.stdout), stderr: textOf(this.#chunks.stderr) };
  }
}

/** How a process ended, as the server reports it. */
class ExitStatus {
  readonly #intent: Intent;
  readonly #status: Uint8Array[] = [];
  #bytes = 0;

  constructor(intent: Intent) {
    this.#intent = intent;
  }

  get isKnown(): boolean {
    return this.#bytes > 0;
  }

  take(data: Uint8Array): void {
    this.#bytes += data.length;
    if (this.#bytes > maxStatusBytes) throw execFailed(this.#intent, "its exit status is too large");
    this.#status.push(data);
  }

  exitCode(): number {
    if (!this.isKnown) throw execFailed(this.#intent, "the connection ended without an exit status. It may still run");
    const status = this.#parsedStatus();
    if (status.status === "Success") return 0;
    const code = status.details?.causes?.find(({ reason }) => reason === "ExitCode")?.message;
    if (status.reason === "NonZeroExitCode" && code !== undefined && /^-?\d{1,10}$/.test(code)) return Number(code);
    const { verb, object } = this.#intent;
    throw new ApiError(
      status.code ?? 500,
      `Cannot ${verb} ${object}: ${status.message ?? status.reason ?? "unknown"}`,
      status,
    );
  }

  #parsedStatus(): ApiStatus {
    const text = textOf(this.#status);
    try {
      const status = parseJson(text);
      // The kubelet leaves `kind` out.
      const typed: unknown = typeof status === "object" ? { kind: "Status", apiVersion: "v1", ...status } : status;
      if (isApiStatus(typed)) return typed;
    } catch {
      // Reported below, as any other unknown text.
    }
    throw execFailed(this.#intent, `its exit status is unknown: "${text.slice(0, 80)}"`);
  }
}

function execFailed({ verb, object }: Intent, why: string): OperatorError {
  return new OperatorError("EXEC_FAILED", `Cannot ${verb} ${object}: ${why}`);
}

function textOf(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
