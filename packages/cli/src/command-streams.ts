/** Where a command writes, and what stops it. */
export interface CommandStreams {
  readonly out: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly err: { write(text: string): unknown };
  /** Ends long-running commands; without it, SIGINT and SIGTERM do. */
  readonly signal?: AbortSignal;
  /** @default the environment of the process */
  readonly environment?: NodeJS.ProcessEnv;
}
