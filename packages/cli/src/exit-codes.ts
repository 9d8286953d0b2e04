/** Exit codes of the command. */
export const exitCodes = {
  done: 0,
  /** The command failed; the reason is on standard error. */
  failed: 1,
  /** The command line is invalid. */
  wrongUsage: 2,
  /** No cluster of that name is running. */
  notRunning: 3,
  /** Generated files are out of date, or `plan --check` found changes. */
  drifted: 4,
  /** No such object, kind or field. */
  notFound: 5,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
