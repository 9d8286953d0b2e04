import { OperatorError } from "@kubewright/core/errors";
import { closestName } from "../definition/index.js";

/** One flag of a program. */
export interface Flag {
  /** Without dashes. */
  readonly name: string;
  /** A flag without this is boolean: `--name`, `--name=false`. Else the placeholder of its value, for the help. */
  readonly value?: string;
  /** One line, for the help. */
  readonly description: string;
}

/** The parsed command line: strings, and booleans for flags without a value. */
export type FlagValues = ReadonlyMap<string, string | boolean>;

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);

/**
 * Parses a command line as Go's `flag` package does, which manifests of kubebuilder are written for: one or two dashes, `--name=value` or
 * `--name value`, and `--name=false` for booleans. The last of a repeated flag counts.
 *
 * Throws CONFIG_INVALID for unknown flags, missing or invalid values and other arguments.
 */
export function parseFlags(flags: readonly Flag[], args: readonly string[]): FlagValues {
  const values = new Map<string, string | boolean>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, name, given] = /^--?([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(arg) ?? [];
    if (name === undefined) throw fail(`Cannot use the argument "${arg}": it is not a flag; --help lists the flags`);
    const flag = flags.find((known) => known.name === name);
    if (flag === undefined) throw unknown(name, flags);
    if (flag.value === undefined) {
      const value = given === undefined ? true : booleans.get(given);
      if (value === undefined) throw fail(`Cannot use --${name}=${given}: it must be true or false`);
      values.set(name, value);
    } else {
      const value = given ?? rest.shift();
      if (value === undefined) throw fail(`Cannot use --${name}: it needs a value, such as --${name}=${flag.value}`);
      values.set(name, value);
    }
  }
  return values;
}

/** The flags with their descriptions, one per line. */
export function describeFlags(flags: readonly Flag[]): string {
  const lines = flags.map(({ name, value, description }) => {
    const shown = `  --${name}${value === undefined ? "" : `=${value}`}`;
    return `${shown.padEnd(42)} ${description}\n`;
  });
  return lines.join("");
}

function unknown(name: string, flags: readonly Flag[]): OperatorError {
  const known = flags.map((flag) => flag.name);
  const meant = closestName(name, known);
  return fail(
    `Cannot use --${name}: no such flag; ${meant === undefined ? "--help lists the flags" : `did you mean --${meant}?`}`,
  );
}

function fail(message: string): OperatorError {
  return new OperatorError("CONFIG_INVALID", message);
}
