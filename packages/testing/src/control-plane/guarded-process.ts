import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";

/**
 * Kills the command when our end of the pipe closes, which also happens when this process is killed. Then removes the command's marker file,
 * and the whole directory after the last marker. A POSIX shell script, because it must outlive this process and start fast.
 * SIGKILL is fine: the data is deleted with the directory.
 */
const guardScript = `
folder=$1; name=$2; shift 2
exec 3<&0
"$@" </dev/null 3<&- &
command=$!
( cat <&3 >/dev/null; kill -KILL $command 2>/dev/null ) &
exec 3<&-
wait $command
status=$?
rm -f "$folder/running/$name"
rmdir "$folder/running" 2>/dev/null && rm -rf "$folder"
exit $status
`;

/** A process that terminates when it is stopped, and when this process terminates for any reason. */
export class GuardedProcess {
  readonly name: string;
  readonly #logFile: string;
  readonly #guard: ChildProcess;
  /** Resolves when the process has terminated and its marker file is removed. */
  readonly terminated: Promise<void>;
  #running = true;

  /** Starts `command` with its output in a file of `folder`. The folder is removed with its last process. */
  constructor(folder: string, name: string, command: readonly string[]) {
    this.name = name;
    this.#logFile = join(folder, `${name}.log`);
    mkdirSync(join(folder, "running"), { recursive: true });
    writeFileSync(join(folder, "running", name), "");
    const log = openSync(this.#logFile, "a");
    // In a new process group, so that Ctrl-C in a terminal reaches this process only.
    this.#guard = spawn("/bin/sh", ["-c", guardScript, "kubewright-guard", folder, name, ...command], {
      stdio: ["pipe", log, log],
      detached: true,
    });
    closeSync(log);
    this.#guard.stdin?.on("error", () => {});
    this.terminated = new Promise((resolve) => {
      const onExit = (): void => {
        this.#running = false;
        resolve();
      };
      this.#guard.once("exit", onExit).once("error", onExit);
    });
  }

  get running(): boolean {
    return this.#running;
  }

  /** The last lines of the output. */
  lastOutput(lines = 40): string {
    try {
      return readFileSync(this.#logFile, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
    } catch {
      return "";
    }
  }

  /** Does not keep this process alive; the guard stops the command when this process exits. */
  unref(): void {
    this.#guard.unref();
    const stdin: unknown = this.#guard.stdin;
    if (stdin instanceof Socket) stdin.unref();
  }

  async stop(): Promise<void> {
    this.#guard.stdin?.destroy();
    await this.terminated;
  }
}
