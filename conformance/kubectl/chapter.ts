/** A sequence of commands that is run on two servers. */
export interface Chapter {
  /** The topic, and the name of its namespace: lower case and hyphens. */
  readonly name: string;
  /** Files in the working directory of the commands, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Shell command lines, run in order; their output and exit codes are compared. */
  readonly commands: readonly string[];
}
