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

/** The query and the subprotocols of an upgrade that runs a command. Throws CONFIG_INVALID without a command. */
export function execUpgrade(
  { command, container, stdin, tty = false }: ExecOptions,
  intent: Intent,
): { readonly query: [string, string][]; readonly protocols: string[] } {
  if (command.length === 0)
    throw new OperatorError("CONFIG_INVALID", `Cannot ${intent.verb} ${intent.object}: "command" is empty`);
  const query = command.map((part): [string, string] => ["command", part]);
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
  let failedInput: { readonly error: unknown } | undefined;
  if (stdin !== undefined) {
    // A command may end before it has read all of its input: then its exit status counts.
    sendInput(socket, stdin).catch((error: unknown) => {
      failedInput = { error };
      socket.close();
    });
  }
  const output = new Output(maxOutputBytes, intent);
  // The status may overtake the output: only the end of the messages is the end of both.
  for await (const message of socket.messages) output.take(message);
  if (!output.hasStatus && failedInput !== undefined) throw failedInput.error;
  return output.result();
}

async function sendInput(socket: TransportSocket, stdin: NonNullable<ExecOptions["stdin"]>): Promise<void> {
  const chunks = typeof stdin === "string" || stdin instanceof Uint8Array ? [Buffer.from(stdin)] : stdin;
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.length; start += inputBytes)
      await socket.send(Buffer.concat([Buffer.of(channels.stdin), chunk.subarray(start, start + inputBytes)]));
  await socket.send(Buffer.of(channels.close, channels.stdin));
}

/** What a command wrote, and how it ended. */
class Output {
  readonly #maxBytes: number;
  readonly #intent: Intent;
  readonly #stdout: Uint8Array[] = [];
  readonly #stderr: Uint8Array[] = [];
  readonly #status: Uint8Array[] = [];
  #bytes = 0;
  #statusBytes = 0;

  constructor(maxBytes: number, intent: Intent) {
    this.#maxBytes = maxBytes;
    this.#intent = intent;
  }

  get hasStatus(): boolean {
    return this.#statusBytes > 0;
  }

  take(message: Uint8Array): void {
    const data = message.subarray(1);
    switch (message[0]) {
      case channels.stdout:
      case channels.stderr:
        this.#bytes += data.length;
        if (this.#bytes > this.#maxBytes)
          throw this.#failed(
            `it wrote more than ${this.#maxBytes} bytes; write less, or raise \`maxOutputBytes\`. It may still run`,
          );
        (message[0] === channels.stdout ? this.#stdout : this.#stderr).push(data);
        return;
      case channels.status:
        this.#statusBytes += data.length;
        if (this.#statusBytes > maxStatusBytes) throw this.#failed("its exit status is too large");
        this.#status.push(data);
        return;
      default:
      // Servers may use channels that a client does not know.
    }
  }

  result(): ExecResult {
    const exitCode = this.#exitCode();
    return { exitCode, stdout: textOf(this.#stdout), stderr: textOf(this.#stderr) };
  }

  #exitCode(): number {
    if (!this.hasStatus) throw this.#failed("the connection ended without an exit status. It may still run");
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
    throw this.#failed(`its exit status is unknown: "${text.slice(0, 80)}"`);
  }

  #failed(why: string): OperatorError {
    return new OperatorError("EXEC_FAILED", `Cannot ${this.#intent.verb} ${this.#intent.object}: ${why}`);
  }
}

function textOf(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
