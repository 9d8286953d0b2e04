import type { ChildProcess } from "node:child_process";
import type { Clock, Timer } from "@kubewright/core/clock";
import { type ExecCluster, type ExecCredential, type ExecPlugin, execError, withoutEscapes } from "./exec-plugin.js";

const maxOutputBytes = 1024 * 1024;
const shownStderr = 2_000;

/** What a plugin needs to run. */
export interface ExecSurroundings {
  readonly clock: Clock;
  /** The environment that the plugin inherits. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the plugin could ask a person; undefined: whether standard input is a terminal. */
  readonly stdinIsTerminal: (() => boolean) | undefined;
  /** How long a plugin may take that has no terminal; one that talks with a person may take as long as that does. */
  readonly timeoutMs: number;
  /** Ends the plugin. */
  readonly signal: AbortSignal;
}

/**
 * Runs a plugin once and reads its credentials.
 *
 * Rejects with CONFIG_INVALID when it is not there (with its installation hint), fails (with the end of what it wrote to standard error),
 * takes too long, writes more than 1 MiB, or answers with something else.
 */
export async function runExecPlugin(
  plugin: ExecPlugin,
  cluster: ExecCluster | undefined,
  surroundings: ExecSurroundings,
): Promise<ExecCredential> {
  const { isatty } = await import("node:tty");
  const interactive = isInteractive(plugin, surroundings.stdinIsTerminal ?? (() => isatty(0)));
  const info = {
    kind: "ExecCredential",
    apiVersion: plugin.apiVersion,
    spec: { ...(cluster && plugin.provideClusterInfo && { cluster }), interactive },
  };
  const { spawn } = await import("node:child_process");
  surroundings.signal.throwIfAborted();
  let child: ChildProcess;
  try {
    child = spawn(plugin.command, plugin.args, {
      env: {
        ...surroundings.environment,
        ...Object.fromEntries(plugin.env.map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: JSON.stringify(info),
      },
      stdio: [interactive ? "inherit" : "ignore", "pipe", "pipe"],
      windowsHide: true,
    });
  } catch (cause) {
    // For instance a command with a zero byte in it.
    throw execError(plugin.command, `it cannot be started: ${cause instanceof Error ? cause.message : cause}`, cause);
  }
  const output = await outputOf(child, plugin, interactive, surroundings);
  const { parseExecCredential } = await import("./parse-exec-credential.js");
  return parseExecCredential(plugin, output);
}

function isInteractive({ command, interactiveMode }: ExecPlugin, stdinIsTerminal: () => boolean): boolean {
  switch (interactiveMode) {
    case "Never":
      return false;
    case "IfAvailable":
      return stdinIsTerminal();
    case "Always":
      if (!stdinIsTerminal())
        throw execError(command, `its interactiveMode is "Always", and standard input is not a terminal`);
      return true;
    default:
      return interactiveMode satisfies never;
  }
}

function outputOf(
  child: ChildProcess,
  { command, installHint }: ExecPlugin,
  interactive: boolean,
  { clock, timeoutMs, signal }: ExecSurroundings,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    let length = 0;
    let stderr = "";
    let timer: Timer | undefined;

    const settle = (): void => {
      timer?.cancel();
      signal.removeEventListener("abort", onAbort);
    };
    const fail = (why: string, cause?: unknown): void => {
      settle();
      const said = withoutEscapes(stderr.trim());
      reject(execError(command, said === "" ? why : `${why}; it wrote: ${said}`, cause));
    };
    const kill = (why: string): void => {
      child.kill("SIGKILL");
      // A grandchild may hold the pipes open: nothing more is read from them.
      child.stdout?.destroy();
      child.stderr?.destroy();
      fail(why);
    };
    const onAbort = (): void => kill("the transport was closed");

    child.stdout?.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxOutputBytes) kill(`its output is longer than ${maxOutputBytes} bytes`);
      else output.push(chunk);
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      stderr = (stderr + chunk).slice(-shownStderr);
      // Prompts are written there: whoever is asked must see them.
      if (interactive) process.stderr.write(chunk);
    });
    child.once("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code !== "ENOENT") return fail(`it cannot be started: ${cause.message}`, cause);
      const hint = installHint === undefined ? "" : `. ${withoutEscapes(installHint.trim())}`;
      fail(`the command is not installed, or not in PATH${hint}`, cause);
    });
    child.once("close", (code, killedBy) => {
      if (code !== 0) return fail(code === null ? `it was ended by ${killedBy}` : `it failed with exit code ${code}`);
      settle();
      resolve(Buffer.concat(output).toString("utf8"));
    });
    signal.addEventListener("abort", onAbort, { once: true });
    if (!interactive) {
      timer = clock.startTimer(timeoutMs, () => kill(`it gave no credentials within ${timeoutMs / 1_000} s`));
    }
  });
}
