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

/** A logger that knows whether it writes debug lines. Not a part of {@link Logger}, so that the types of other loggers fit. */
export interface DebugAware {
  /** Whether a debug line would be written now. */
  debugs(): boolean;
}

/** Whether a logger writes debug lines, so that their fields need to be computed; true for a logger that does not know. */
export function writesDebug(logger: Logger & Partial<DebugAware>): boolean {
  return typeof logger.debugs === "function" ? logger.debugs() : true;
}

/** Discards all log lines. */
export const silentLogger: Logger & DebugAware = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  debugs: () => false,
  child: () => silentLogger,
};
