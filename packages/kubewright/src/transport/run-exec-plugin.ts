import type { ChildProcess } from "node:child_process";
import type { Clock, Timer } from "@kubewright/core/clock";
import { type ExecCluster, type ExecCredential, type ExecPlugin, execError, withoutEscapes } from "./exec-plugin.js";

const maxOutputBytes = 1024 * 1024;
const shownStderr = 2_000;

/** Dependencies of {@link runExecPlugin}. */
export interface ExecDependencies {
  readonly clock: Clock;
  /** The environment that the plugin inherits. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the plugin may prompt the user; undefined: whether standard input is a terminal. */
  readonly stdinIsTerminal: (() => boolean) | undefined;
  /** Timeout of a plugin without a terminal. An interactive plugin has none. */
  readonly timeoutMs: number;
  /** Kills the plugin. */
  readonly signal: AbortSignal;
}

/**
 * Runs a plugin once and parses its credentials.
 *
 * Rejects with CONFIG_INVALID if the command is not found (with the install hint), fails (with the end of its standard error), times out,
 * writes more than 1 MiB, or returns no valid ExecCredential.
 */
export async function runExecPlugin(
  plugin: ExecPlugin,
  cluster: ExecCluster | undefined,
  dependencies: ExecDependencies,
): Promise<ExecCredential> {
  const { isatty } = await import("node:tty");
  const interactive = isInteractive(plugin, dependencies.stdinIsTerminal ?? (() => isatty(0)));
  const info = {
    kind: "ExecCredential",
    apiVersion: plugin.apiVersion,
    spec: { ...(cluster && plugin.provideClusterInfo && { cluster }), interactive },
  };
  const { spawn } = await import("node:child_process");
  dependencies.signal.throwIfAborted();
  let child: ChildProcess;
  try {
    child = spawn(plugin.command, plugin.args, {
      env: {
        ...dependencies.environment,
        ...Object.fromEntries(plugin.env.map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: JSON.stringify(info),
      },
      stdio: [interactive ? "inherit" : "ignore", "pipe", "pipe"],
      windowsHide: true,
    });
  } catch (cause) {
    // For instance a command that contains a NUL byte.
    throw execError(plugin.command, `it cannot be started: ${cause instanceof Error ? cause.message : cause}`, cause);
  }
  const output = await outputOf(child, plugin, interactive, dependencies);
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
  { clock, timeoutMs, signal }: ExecDependencies,
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
      const written = withoutEscapes(stderr.trim());
      reject(execError(command, written === "" ? why : `${why}; it wrote: ${written}`, cause));
    };
    const kill = (why: string): void => {
      child.kill("SIGKILL");
      // A grandchild may keep the pipes open: stop reading from them.
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
      // The user must see prompts, which plugins write to standard error.
      if (interactive) process.stderr.write(chunk);
    });
    child.once("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code !== "ENOENT") return fail(`it cannot be started: ${cause.message}`, cause);
      const hint = installHint === undefined ? "" : `. ${withoutEscapes(installHint.trim())}`;
      fail(`the command is not installed, or not in PATH${hint}`, cause);
    });
    child.once("close", (code, killedBy) => {
      if (code !== 0) return fail(code === null ? `it was killed by ${killedBy}` : `it failed with exit code ${code}`);
      settle();
      resolve(Buffer.concat(output).toString("utf8"));
    });
    signal.addEventListener("abort", onAbort, { once: true });
    if (!interactive) {
      timer = clock.startTimer(timeoutMs, () => kill(`it returned no credentials within ${timeoutMs / 1_000} s`));
    }
  });
}
