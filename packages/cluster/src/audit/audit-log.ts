import { createWriteStream, type WriteStream } from "node:fs";
import { OperatorError } from "@kubewright/core/errors";
import { stringifyJson } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import type { AuditEvent } from "./audit-event.js";

/** Appends audit events to a file, one line of JSON each, as `--audit-log-path` of kube-apiserver. */
export class AuditLog {
  readonly #stream: WriteStream | NodeJS.WriteStream;
  readonly #isStandardOutput: boolean;

  /** `path` is a file, or `-` for the standard output. A later failure to write is logged once. */
  static async open(path: string, logger: Logger): Promise<AuditLog> {
    if (path === "-") return new AuditLog(process.stdout, true);
    const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
    try {
      await new Promise<void>((resolve, reject) => stream.once("open", () => resolve()).once("error", reject));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new OperatorError("CONFIG_INVALID", `Cannot write the audit log "${path}": ${why}`, { cause: error });
    }
    stream.on("error", (error) => logger.error({ err: error, path }, "Cannot write the audit log"));
    return new AuditLog(stream, false);
  }

  private constructor(stream: WriteStream | NodeJS.WriteStream, isStandardOutput: boolean) {
    this.#stream = stream;
    this.#isStandardOutput = isStandardOutput;
  }

  write(event: AuditEvent): void {
    this.#stream.write(`${stringifyJson(event)}\n`);
  }

  /** Resolves when every event is written. */
  async close(): Promise<void> {
    if (this.#isStandardOutput) return;
    await new Promise<void>((resolve) => this.#stream.end(() => resolve()));
  }
}
