import { callSafely } from "./call-safely.js";
import { type DebugAware, type LogFields, type Logger, writesDebug } from "./logger.js";

/** Forwards log lines to a logger that may throw or reject, for code that must not stop because of it: such a line is lost. */
export function safeLogger(logger: Logger): Logger {
  return logger instanceof SafeLogger ? logger : new SafeLogger(logger);
}

class SafeLogger implements Logger, DebugAware {
  readonly #inner: Logger;

  constructor(inner: Logger) {
    this.#inner = inner;
  }

  debug(fields: LogFields, message: string): void {
    this.#log("debug", fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.#log("info", fields, message);
  }

  warn(fields: LogFields, message: string): void {
    this.#log("warn", fields, message);
  }

  error(fields: LogFields, message: string): void {
    this.#log("error", fields, message);
  }

  debugs(): boolean {
    try {
      return writesDebug(this.#inner);
    } catch {
      return false;
    }
  }

  child(fields: LogFields): Logger {
    try {
      return new SafeLogger(this.#inner.child(fields));
    } catch {
      return this;
    }
  }

  #log(level: "debug" | "info" | "warn" | "error", fields: LogFields, message: string): void {
    // There is no other place to report a failure to.
    callSafely(() => this.#inner[level](fields, message));
  }
}
