import { inspect } from "node:util";
import { type DebugAware, type LogFields, type Logger, writesDebug } from "@kubewright/core/log";
import type { LoggedLine } from "./recorded-run.js";

const maxMessage = 200;
const maxFields = 300;

/**
 * Forwards the lines of a run to its logger, and keeps them. A debug line is kept only where the logger writes it, because the user decided by the level
 * that it is not shown.
 *
 * What is kept is a string, cut to a length: no reference to what was logged.
 */
export class RecordingLogger implements Logger, DebugAware {
  readonly #inner: Logger;
  readonly #keep: (line: LoggedLine) => void;
  /** Of the children that led here. */
  readonly #fields: LogFields;

  constructor(inner: Logger, keep: (line: LoggedLine) => void, fields: LogFields = {}) {
    this.#inner = inner;
    this.#keep = keep;
    this.#fields = fields;
  }

  debug(fields: LogFields, message: string): void {
    if (this.debugs()) this.#record("debug", fields, message);
    this.#inner.debug(fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.#record("info", fields, message);
    this.#inner.info(fields, message);
  }

  warn(fields: LogFields, message: string): void {
    this.#record("warn", fields, message);
    this.#inner.warn(fields, message);
  }

  error(fields: LogFields, message: string): void {
    this.#record("error", fields, message);
    this.#inner.error(fields, message);
  }

  debugs(): boolean {
    return writesDebug(this.#inner);
  }

  child(fields: LogFields): Logger {
    return new RecordingLogger(this.#inner.child(fields), this.#keep, { ...this.#fields, ...fields });
  }

  /** Never throws: a line that cannot be kept must not fail the run. */
  #record(level: LoggedLine["level"], fields: LogFields, message: string): void {
    try {
      const formatted = formatFields({ ...this.#fields, ...fields });
      this.#keep({ level, message: cut(String(message), maxMessage), ...(formatted !== "" && { fields: formatted }) });
    } catch {
      this.#keep({ level, message: "?" });
    }
  }
}

function formatFields(fields: LogFields): string {
  let line = "";
  for (const name of Object.keys(fields)) {
    if (line.length > maxFields) break;
    line += `${line === "" ? "" : " "}${name}=${formatValue(fields[name])}`;
  }
  return cut(line, maxFields);
}

/** A logged object may be large, and little of it is kept. */
const shallow = { depth: 2, maxArrayLength: 10, maxStringLength: 100, breakLength: Number.POSITIVE_INFINITY };

function formatValue(value: unknown): string {
  if (typeof value === "string") return value.slice(0, maxFields);
  if (value instanceof Error) return value.message;
  try {
    return inspect(value, shallow);
  } catch {
    return "?";
  }
}

function cut(line: string, length: number): string {
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
