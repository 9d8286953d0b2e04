/** What the command ends with. */
export const exitCodes = {
  done: 0,
  /** It could not be done, and the reason was written. */
  failed: 1,
  /** The command line is wrong. */
  wrongUsage: 2,
  /** There is no running cluster of that name. */
  notRunning: 3,
  /** Generated files are not what they would be now. */
  drifted: 4,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
