import type { Method } from "../test-case.js";

/** A request, ready to be sent. */
export interface Outgoing {
  readonly method: Method;
  /** With its query. */
  readonly path: string;
  /** Names in lower case; a list is sent as one line for each value. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The body; undefined for none. */
  readonly text: string | undefined;
}

/** A raw response. */
export interface Incoming {
  readonly status: number;
  /** Those that are compared; names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON value if it is JSON, otherwise the string. */
  readonly body: unknown;
}

/** An open watch. */
export interface OpenWatch {
  /** The next event; undefined at the end of the watch, or when nothing comes within `timeoutMs`. */
  next(timeoutMs: number): Promise<unknown>;
  close(): Promise<void>;
}

/** Sends requests to one API server. */
export interface ApiClient {
  send(request: Outgoing): Promise<Incoming>;
  /** Starts a watch; without `watch` the server rejected it. */
  watch(request: Outgoing): Promise<{ readonly response: Incoming; readonly watch?: OpenWatch }>;
  close(): Promise<void>;
}

/** The response headers that clients rely on. */
export const comparedHeaders = ["content-type", "warning", "retry-after", "cache-control", "location", "vary"] as const;
