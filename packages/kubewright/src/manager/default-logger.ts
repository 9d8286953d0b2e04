import { styleText } from "node:util";
import { OperatorError } from "@kubewright/core/errors";
import { stringifyJson } from "@kubewright/core/json";
import type { LogFields, Logger } from "@kubewright/core/log";

/** The lowest level that a logger writes. */
export type LogLevel = "debug" | "info" | "warn" | "error";

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Where log lines are written. */
export interface LogOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/**
 * The logger of an operator that was given none: one JSON line per event, by pino; human-readable lines in a terminal.
 *
 * pino is loaded only when it is needed.
 */
export async function defaultLogger(level: LogLevel = "info", output: LogOutput = process.stderr): Promise<Logger> {
  if (!levels.includes(level)) {
    throw new OperatorError("CONFIG_INVALID", `Cannot log at level "${level}": it is one of ${levels.join(", ")}`);
  }
  if (output.isTTY === true) return new TerminalLogger(output, level, {});
  const { pinoLogger } = await import("./pino-logger.js");
  return pinoLogger(level, (text) => void output.write(text));
}

const colours = { debug: "gray", info: "green", warn: "yellow", error: "red" } as const;

/** Human-readable lines: time, level, message, then the fields. */
class TerminalLogger implements Logger {
  readonly #output: LogOutput;
  readonly #level: LogLevel;
  readonly #fields: LogFields;

  constructor(output: LogOutput, level: LogLevel, fields: LogFields) {
    this.#output = output;
    this.#level = level;
    this.#fields = fields;
  }

  debug(fields: LogFields, message: string): void {
    this.#write("debug", fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.#write("info", fields, message);
  }

  warn(fields: LogFields, message: string): void {
    this.#write("warn", fields, message);
  }

  error(fields: LogFields, message: string): void {
    this.#write("error", fields, message);
  }

  child(fields: LogFields): Logger {
    return new TerminalLogger(this.#output, this.#level, { ...this.#fields, ...fields });
  }

  #write(level: LogLevel, fields: LogFields, message: string): void {
    if (levels.indexOf(level) < levels.indexOf(this.#level)) return;
    const shown = Object.entries({ ...this.#fields, ...fields })
      .filter(([name]) => name !== "reconcileId")
      .map(([name, value]) => `${name}=${textOf(value)}`)
      .join(" ");
    const label = styleText(colours[level], level.toUpperCase().padEnd(5));
    this.#output.write(`${label} ${message} ${styleText("gray", shown)}\n`);
  }
}

function textOf(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  return typeof value === "string" && /^[\w./:-]+$/.test(value) ? value : (stringifyJson(value) ?? String(value));
}
