/** The variable fields of a log line. `err` holds an error. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Receives log lines. Messages are constant; variable data goes into the fields. */
export interface Logger {
  /** For the developer of the operator. */
  debug(fields: LogFields, message: string): void;
  /** What happened, at the pace of the operator's life. */
  info(fields: LogFields, message: string): void;
  /** What may need a person. */
  warn(fields: LogFields, message: string): void;
  /** What failed. */
  error(fields: LogFields, message: string): void;
  /** A logger that adds `fields` to each of its lines. */
  child(fields: LogFields): Logger;
}

/** Discards all log lines. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};
