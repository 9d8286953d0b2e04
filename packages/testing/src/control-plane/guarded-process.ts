import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";

/**
 * Ends the program when our end of the pipe closes, which also happens when this process is killed; then takes its own mark away, and
 * the whole folder with it when it was the last. In POSIX shell, because it must outlive us, start at once and need nothing else.
 * The program is killed outright: its data is thrown away with the folder.
 */
const guardScript = `
folder=$1; name=$2; shift 2
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
( cat <&3 >/dev/null; kill -KILL $program 2>/dev/null ) &
exec 3<&-
wait $program
status=$?
rm -f "$folder/running/$name"
rmdir "$folder/running" 2>/dev/null && rm -rf "$folder"
exit $status
`;

/** A program that ends when it is stopped, or when this process ends, in whatever way. */
export class GuardedProcess {
  readonly name: string;
  readonly #logFile: string;
  readonly #guard: ChildProcess;
  /** Resolves when the program has ended and its mark is gone. */
  readonly ended: Promise<void>;
  #running = true;

  /** Starts `command` with its output in a file of `folder`; the folder is removed with the last program in it. */
  constructor(folder: string, name: string, command: readonly string[]) {
    this.name = name;
    this.#logFile = join(folder, `${name}.log`);
    mkdirSync(join(folder, "running"), { recursive: true });
    writeFileSync(join(folder, "running", name), "");
    const log = openSync(this.#logFile, "a");
    // A process group of its own: Ctrl-C in a terminal reaches us, and we decide.
    this.#guard = spawn("/bin/sh", ["-c", guardScript, "kubewright-guard", folder, name, ...command], {
      stdio: ["pipe", log, log],
      detached: true,
    });
    closeSync(log);
    this.#guard.stdin?.on("error", () => {});
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.#running = false;
        resolve();
      };
      this.#guard.once("exit", end).once("error", end);
    });
  }

  get running(): boolean {
    return this.#running;
  }

  /** The last lines that the program wrote. */
  lastOutput(lines = 40): string {
    try {
      return readFileSync(this.#logFile, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
    } catch {
      return "";
    }
  }

  /** Lets this process end while the program runs; the guard then ends the program. */
  unref(): void {
    this.#guard.unref();
    const stdin: unknown = this.#guard.stdin;
    if (stdin instanceof Socket) stdin.unref();
  }

  async stop(): Promise<void> {
    this.#guard.stdin?.destroy();
    await this.ended;
  }
}
