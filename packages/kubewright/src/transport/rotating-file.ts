import { readFile, stat } from "node:fs/promises";
import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";

/** The kubelet rotates a token when 20 % of its lifetime is left, at least two minutes: half of that suffices. */
const checkIntervalMs = 60_000;
const maxFileBytes = 4 * 1024 * 1024;

/**
 * The content of a file that another process rotates.
 *
 * Checks the file (mtime, size, inode) at most once a minute, and after `invalidate()`. `current` returns synchronously between checks. If the file
 * cannot be read, the last content stays in use, because a rotation may be in progress; a file that was never readable rejects with
 * CONFIG_INVALID.
 */
export class RotatingFile {
  readonly #path: string;
  readonly #what: string;
  readonly #clock: Clock;
  #text: string | undefined;
  #seen = "";
  #checkAtMs = Number.NEGATIVE_INFINITY;
  #checking: Promise<string> | undefined;

  /** `what` names the file in messages, for instance `token file`. `text` is used until the file has been read. */
  constructor(path: string, { what, clock, text }: { what: string; clock: Clock; text?: string | undefined }) {
    this.#path = path;
    this.#what = what;
    this.#clock = clock;
    this.#text = text;
  }

  current(): string | Promise<string> {
    if (this.#text !== undefined && this.#clock.monotonic() < this.#checkAtMs) return this.#text;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** The content was rejected: the next `current()` reads the file even if its mtime and size are unchanged. */
  invalidate(): void {
    this.#seen = "";
    this.#checkAtMs = Number.NEGATIVE_INFINITY;
  }

  async #check(): Promise<string> {
    const checkAtMs = this.#clock.monotonic() + checkIntervalMs;
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
    this.#checkAtMs = checkAtMs;
    return this.#text;
  }
}
