import { styleText } from "node:util";
import type { LogFields, Logger } from "@kubewright/core/log";

type Level = "debug" | "info" | "warn" | "error";

/** Where log lines are written. */
export interface LogOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/**
 * The logger of a program that brought none: one JSON line per event, by pino; in a terminal, lines for people.
 *
 * pino is loaded only when it is needed.
 */
export async function defaultLogger(output: LogOutput = process.stderr): Promise<Logger> {
  if (output.isTTY === true) return new TerminalLogger(output, {});
  const { pino, stdTimeFunctions, stdSerializers } = await import("pino");
  const logger = pino(
    {
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: stdSerializers.err },
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (text) => void output.write(text) },
  );
  return logger;
}

const colours = { debug: "gray", info: "green", warn: "yellow", error: "red" } as const;

/** Lines for people: time, level, message, then the fields. */
class TerminalLogger implements Logger {
  readonly #output: LogOutput;
  readonly #fields: LogFields;

  constructor(output: LogOutput, fields: LogFields) {
    this.#output = output;
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
    return new TerminalLogger(this.#output, { ...this.#fields, ...fields });
  }

  #write(level: Level, fields: LogFields, message: string): void {
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
  return typeof value === "string" && /^[\w./:-]+$/.test(value) ? value : (JSON.stringify(value) ?? String(value));
}
