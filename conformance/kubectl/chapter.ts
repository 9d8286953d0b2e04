/** A script of commands for two servers. */
export interface Chapter {
  /** What it is about; its namespace has this name too, so small letters and hyphens. */
  readonly name: string;
  /** Files that stand in the folder in which the commands run, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Lines for a shell, one after another; what they print and how they end is compared. */
  readonly commands: readonly string[];
}
