import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { findUp } from "../find-up.js";

/** How many lines of errors are shown. */
const maxLines = 20;

/** Checks the types of a project with its own TypeScript, in a process beside this one. A newer check ends the one before. */
export class TypeCheck implements Disposable {
  readonly #folder: string;
  readonly #compiler: string | undefined;
  #running: AbortController | undefined;

  /** `file` is a source of the project: the compiler and `tsconfig.json` are searched from its directory upwards. */
  constructor(file: string) {
    const config = findUp("tsconfig.json", dirname(resolve(file)));
    this.#folder = config === undefined ? "" : dirname(config);
    this.#compiler = config === undefined ? undefined : compilerFor(config);
  }

  /** Whether the project has a tsconfig.json and TypeScript. */
  get available(): boolean {
    return this.#compiler !== undefined;
  }

  /** The errors, at most 20 lines; empty without errors; undefined when a newer check replaced it or the compiler did not start. */
  async run(): Promise<readonly string[] | undefined> {
    if (this.#compiler === undefined) return undefined;
    this.#running?.abort();
    const abort = new AbortController();
    this.#running = abort;
    // What a check learned is kept: the next one looks at what changed since.
    const memory = join(this.#folder, ".kubewright", "types.tsbuildinfo");
    const incremental = ["--incremental", "--tsBuildInfoFile", memory];
    const options = ["--noEmit", "--pretty", "false", ...incremental, "-p", this.#folder];
    const child = spawn(process.execPath, [this.#compiler, ...options], {
      cwd: this.#folder,
      signal: abort.signal,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      if (output.length < 100_000) output += part;
    });
    const code = await new Promise<number | null>((done) => {
      child.once("error", () => done(null));
      child.once("close", done);
    });
    if (abort.signal.aborted || code === null) return undefined;
    const lines = output.split(/\r?\n/).filter((line) => line !== "");
    return lines.length > maxLines ? [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more lines`] : lines;
  }

  [Symbol.dispose](): void {
    this.#running?.abort();
  }
}

function compilerFor(config: string): string | undefined {
  try {
    return join(dirname(createRequire(config).resolve("typescript/package.json")), "bin", "tsc");
  } catch {
    return undefined;
  }
}
