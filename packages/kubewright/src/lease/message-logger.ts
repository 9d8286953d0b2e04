import type { LogFields, Logger } from "@kubewright/core/log";
import type { FromLeaseWorker, LogData } from "./lease-messages.js";

/** Posts log lines to the logger of the main thread. Errors are posted as their message; debug lines are dropped. */
export class MessageLogger implements Logger {
  readonly #post: (message: FromLeaseWorker) => void;
  readonly #fields: LogFields;

  constructor(post: (message: FromLeaseWorker) => void, fields: LogFields) {
    this.#post = post;
    this.#fields = fields;
  }

  debug(): void {}

  info(fields: LogFields, message: string): void {
    this.#post({ kind: "log", level: "info", fields: this.#data(fields), message });
  }

  warn(fields: LogFields, message: string): void {
    this.#post({ kind: "log", level: "warn", fields: this.#data(fields), message });
  }

  error(fields: LogFields, message: string): void {
    this.warn(fields, message);
  }

  child(fields: LogFields): Logger {
    return new MessageLogger(this.#post, { ...this.#fields, ...fields });
  }

  #data(fields: LogFields): LogData {
    const entries = Object.entries({ ...this.#fields, ...fields });
    return Object.fromEntries(
      entries.map(([key, value]) => [key, value instanceof Error ? value.message : `${value}`]),
    );
  }
}
