import type { LogFields, Logger } from "@kubewright/core/log";
import type { FromLeaseWorker, LogData } from "./lease-messages.js";

/** Sends its lines to the logger of the main thread. Errors travel as their text; lines for debugging do not travel. */
export class MessageLogger implements Logger {
  readonly #say: (message: FromLeaseWorker) => void;
  readonly #fields: LogFields;

  constructor(say: (message: FromLeaseWorker) => void, fields: LogFields) {
    this.#say = say;
    this.#fields = fields;
  }

  debug(): void {}

  info(fields: LogFields, message: string): void {
    this.#say({ kind: "log", level: "info", fields: this.#data(fields), message });
  }

  warn(fields: LogFields, message: string): void {
    this.#say({ kind: "log", level: "warn", fields: this.#data(fields), message });
  }

  error(fields: LogFields, message: string): void {
    this.warn(fields, message);
  }

  child(fields: LogFields): Logger {
    return new MessageLogger(this.#say, { ...this.#fields, ...fields });
  }

  #data(fields: LogFields): LogData {
    const entries = Object.entries({ ...this.#fields, ...fields });
    return Object.fromEntries(
      entries.map(([key, value]) => [key, value instanceof Error ? value.message : `${value}`]),
    );
  }
}
