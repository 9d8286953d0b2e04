import { OperatorError } from "@kubewright/core/errors";
import { type DebugAware, type LogFields, type Logger, writesDebug } from "@kubewright/core/log";

/** The lowest level that a logger writes. */
export type LogLevel = "debug" | "info" | "warn" | "error";

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** The lowest level that a logger and all its children write; can be changed at any time. */
export class LogThreshold {
  #index: number;

  /** Throws CONFIG_INVALID for an unknown level. */
  constructor(level: LogLevel) {
    this.#index = indexOf(level);
  }

  get level(): LogLevel {
    return levels[this.#index] ?? "error";
  }

  /** Throws CONFIG_INVALID for an unknown level. */
  set(level: string): void {
    this.#index = indexOf(level);
  }

  /** Whether lines of a level are written. */
  passes(level: LogLevel): boolean {
    return levels.indexOf(level) >= this.#index;
  }
}

function indexOf(level: string): number {
  const index = (levels as readonly string[]).indexOf(level);
  if (index >= 0) return index;
  throw new OperatorError("CONFIG_INVALID", `Cannot log at level "${level}": it is one of ${levels.join(", ")}`);
}

/** Forwards the lines that a threshold passes. */
export class LeveledLogger implements Logger, DebugAware {
  readonly #inner: Logger;
  readonly #threshold: LogThreshold;

  constructor(inner: Logger, threshold: LogThreshold) {
    this.#inner = inner;
    this.#threshold = threshold;
  }

  debug(fields: LogFields, message: string): void {
    if (this.#threshold.passes("debug")) this.#inner.debug(fields, message);
  }

  info(fields: LogFields, message: string): void {
    if (this.#threshold.passes("info")) this.#inner.info(fields, message);
  }

  warn(fields: LogFields, message: string): void {
    if (this.#threshold.passes("warn")) this.#inner.warn(fields, message);
  }

  error(fields: LogFields, message: string): void {
    if (this.#threshold.passes("error")) this.#inner.error(fields, message);
  }

  debugs(): boolean {
    return this.#threshold.passes("debug") && writesDebug(this.#inner);
  }

  child(fields: LogFields): Logger {
    return new LeveledLogger(this.#inner.child(fields), this.#threshold);
  }
}
