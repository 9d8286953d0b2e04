import type { Chapter } from "./chapter.js";
import type { CommandLine } from "./command-line.js";
import { plainOutput } from "./plain-output.js";

/** The normalised output of a command on each side, with its exit code at the end. */
export interface Compared {
  readonly command: string;
  readonly real: string;
  readonly ours: string;
}

/** Runs the same commands on a real control plane and on the embedded cluster. */
export class CommandPair {
  readonly #real: CommandLine;
  readonly #ours: CommandLine;

  constructor(real: CommandLine, ours: CommandLine) {
    this.#real = real;
    this.#ours = ours;
  }

  /** Runs a chapter in a new folder and namespace, each command on both sides concurrently. */
  async play({ name, files = {}, commands }: Chapter): Promise<Compared[]> {
    await Promise.all([this.#real, this.#ours].map((line) => line.chapter(name, files)));
    const compared: Compared[] = [];
    for (const command of commands) {
      const [real, ours] = await Promise.all([
        this.#output(this.#real, name, command),
        this.#output(this.#ours, name, command),
      ]);
      compared.push({ command, real, ours });
    }
    return compared;
  }

  async #output(line: CommandLine, chapter: string, command: string): Promise<string> {
    const { code, out, err } = await line.shell(chapter, command);
    return plainOutput(`${out}${err === "" ? "" : `[stderr]\n${err}`}[${code}]\n`);
  }
}
