import { readFile, stat } from "node:fs/promises";
import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";

/** Kubelets renew tokens when a fifth of their life is left, two minutes at least; half of that is soon enough. */
const lookEveryMs = 60_000;
const maxFileBytes = 4 * 1024 * 1024;

/**
 * The text of a file that another program replaces now and then.
 *
 * The file is looked at (its time and size, not its content) at most once a minute, and after `suspect()`. While it is in order, `current`
 * answers without a promise. A file that cannot be read any more keeps its last text, because whoever replaces it may be in the middle;
 * one that never could be read rejects with CONFIG_INVALID.
 */
export class RotatingFile {
  readonly #path: string;
  readonly #what: string;
  readonly #clock: Clock;
  #text: string | undefined;
  #seen = "";
  #lookAtMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<string> | undefined;

  /** `what` names the file in messages, for instance `token file`. `text` is used until the file was read. */
  constructor(path: string, { what, clock, text }: { what: string; clock: Clock; text?: string | undefined }) {
    this.#path = path;
    this.#what = what;
    this.#clock = clock;
    this.#text = text;
  }

  current(): string | Promise<string> {
    if (this.#text !== undefined && this.#clock.monotonic() < this.#lookAtMs) return this.#text;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** The text was refused: the next `current()` reads the file, even if it looks the same (two writes can share one moment). */
  suspect(): void {
    this.#seen = "";
    this.#lookAtMs = Number.NEGATIVE_INFINITY;
  }

  async #look(): Promise<string> {
    const lookAtMs = this.#clock.monotonic() + lookEveryMs;
    try {
      const { mtimeMs, size, ino } = await stat(this.#path);
      if (size > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes} bytes`);
      const seen = `${mtimeMs} ${size} ${ino}`;
      if (seen !== this.#seen || this.#text === undefined) {
        const text = (await readFile(this.#path, "utf8")).trim();
        if (text === "") throw new Error("it is empty");
        this.#text = text;
        this.#seen = seen;
      }
    } catch (cause) {
      if (this.#text === undefined) {
        throw new OperatorError(
          "CONFIG_INVALID",
          `Cannot read the ${this.#what} "${this.#path}": ${cause instanceof Error ? cause.message : String(cause)}`,
          { cause },
        );
      }
    }
    this.#lookAtMs = lookAtMs;
    return this.#text;
  }
}
