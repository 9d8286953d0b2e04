import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process. The start time distinguishes it from a later process with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** As {@link startTimeOf} returned it. */
  readonly startTime: string;
}

/** What the operating system reports about processes. */
export interface ProcessTable {
  readonly platform: NodeJS.Platform;
  /** Whether the pid is in use; a zombie's is. */
  exists(pid: number): boolean;
  /** Throws when the file cannot be read. */
  readFile(path: string): string;
  /** Standard output of a command, with the C locale and UTC. Throws when the command fails. */
  run(command: string, args: readonly string[]): string;
}

/** The processes of this machine. */
export const systemProcesses: ProcessTable = {
  platform: process.platform,
  exists(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // EPERM: the process exists and belongs to another user.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
  readFile: (path) => readFileSync(path, "utf8"),
  run: (command, args) =>
    execFileSync(command, args, {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    }),
};

/** `ps` reports whole seconds, and Node's time origin is some milliseconds after the fork. */
const toleranceMs = 5_000;

/**
 * Start time of a process: undefined when it has terminated, "" when the platform does not report it.
 *
 * Clock ticks since boot on Linux, milliseconds since the epoch elsewhere: compare by {@link isRunning}.
 */
export function startTimeOf(pid: number, table: ProcessTable = systemProcesses): string | undefined {
  if (!table.exists(pid)) return undefined;
  try {
    if (table.platform === "linux") return fromProc(pid, table);
    if (pid === process.pid) return String(Math.round(performance.timeOrigin));
    return table.platform === "win32" ? fromPowerShell(pid, table) : fromPs(pid, table);
  } catch {
    return "";
  }
}

/**
 * Whether a process still runs. A zombie does not, nor does a later process with the same pid.
 *
 * True when the start time is not known: to take a running process for a terminated one would lose data.
 */
export function isRunning({ pid, startTime }: ProcessIdentity, table: ProcessTable = systemProcesses): boolean {
  const found = startTimeOf(pid, table);
  if (found === undefined) return false;
  if (found === "" || startTime === "") return true;
  if (table.platform === "linux") return found === startTime;
  return Math.abs(Number(found) - Number(startTime)) < toleranceMs;
}

function fromProc(pid: number, { readFile }: ProcessTable): string | undefined {
  // The command name stands in parentheses and may contain any character, so fields are counted from the last ")".
  const fields = readFile(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  // A zombie has terminated; its parent has not reaped it yet.
  return fields[0] === "Z" || fields[0] === "X" ? undefined : (fields[19] ?? "");
}

function fromPs(pid: number, { run }: ProcessTable): string | undefined {
  const [, state = "", started = ""] =
    /^\s*(\S+)\s+(.+?)\s*$/.exec(run("ps", ["-o", "stat=,lstart=", "-p", `${pid}`])) ?? [];
  return state.startsWith("Z") ? undefined : epochMs(`${started} UTC`);
}

function fromPowerShell(pid: number, { run }: ProcessTable): string {
  const script = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString("o")`;
  return epochMs(run("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", script]).trim());
}

function epochMs(date: string): string {
  const ms = Date.parse(date);
  return Number.isNaN(ms) ? "" : String(ms);
}
