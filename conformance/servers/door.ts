import type { Method } from "../test-case.js";

/** A request, ready to be sent. */
export interface Outgoing {
  readonly method: Method;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; undefined for none. */
  readonly text: string | undefined;
}

/** An answer as it came. */
export interface Incoming {
  readonly status: number;
  /** Those that are compared; names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON value where it is JSON, else the text. */
  readonly body: unknown;
}

/** An open watch. */
export interface OpenWatch {
  /** The next event; undefined at the end of the watch, or when nothing comes within `timeoutMs`. */
  next(timeoutMs: number): Promise<unknown>;
  close(): Promise<void>;
}

/** A way to an API server. */
export interface Door {
  send(request: Outgoing): Promise<Incoming>;
  /** A watch, or the answer of a server that refuses it. */
  watch(request: Outgoing): Promise<{ readonly answer: Incoming; readonly watch?: OpenWatch }>;
  close(): Promise<void>;
}

/** The headers whose values are part of the contract with clients. */
export const comparedHeaders = ["content-type", "warning", "retry-after", "cache-control", "location", "vary"] as const;
