import { type Command, Option } from "commander";
import type { CommandStreams } from "../command-streams.js";
import type { ExitCode } from "../exit-codes.js";

/** What a command is added to. */
export interface CommandLine {
  readonly program: Command;
  readonly streams: CommandStreams;
  /** Awaits an action; its result is the exit code of the process. */
  readonly finish: (running: Promise<ExitCode>) => Promise<void>;
}

/** Fails as the parser does for a required option: for one that a terminal asks for, and that is missing without one. */
export function missingOption(command: Command, flags: string): never {
  return command.error(`error: required option '${flags}' not specified`);
}

/** `-o text` or `-o json`. */
export function outputOption(): Option {
  return new Option("-o, --output <format>", "output format").default("text").choices(["text", "json"]);
}
