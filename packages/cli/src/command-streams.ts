/** Output streams, environment and stop signal of a command. */
export interface CommandStreams {
  readonly out: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly err: { write(text: string): unknown };
  /** Stops long-running commands. @default SIGINT, SIGTERM and SIGHUP (on Windows also SIGBREAK) */
  readonly signal?: AbortSignal;
  /** @default the environment of the process */
  readonly environment?: NodeJS.ProcessEnv;
}
