import { styleText } from "node:util";
import { stringifyJson } from "@kubewright/core/json";
import type { LogFields, Logger } from "@kubewright/core/log";
import { LeveledLogger, type LogLevel, type LogThreshold } from "./leveled-logger.js";

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
export async function defaultLogger(threshold: LogThreshold, output: LogOutput = process.stderr): Promise<Logger> {
  return new LeveledLogger(await unleveled(output), threshold);
}

async function unleveled(output: LogOutput): Promise<Logger> {
  if (output.isTTY === true) return new TerminalLogger(output, {});
  const { pinoLogger } = await import("./pino-logger.js");
  return pinoLogger("debug", (text) => void output.write(text));
}

const colours = { debug: "gray", info: "green", warn: "yellow", error: "red" } as const;

/** Human-readable lines: time, level, message, then the fields. */
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

  #write(level: LogLevel, fields: LogFields, message: string): void {
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
