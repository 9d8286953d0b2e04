import type { User } from "../access/index.js";
import type { RequestStage } from "../audit/index.js";
import type { RequestBody } from "../registry/index.js";

/** A request as the HTTPS server and the in-process transport pass it to the handler: authenticated, its body read. */
export interface ApiRequest {
  /** The authenticated user; the handler replaces it where the headers impersonate another. */
  readonly user: User;
  /** Hears of each stage of the request. */
  readonly observe?: (stage: RequestStage) => void;
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Every value of the `dryRun` parameter, which may be repeated; left out where the query has it all. */
  readonly dryRun?: readonly string[];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  readonly signal: AbortSignal | undefined;
  /** How often a watch that allows it gets a bookmark; undefined for never. */
  readonly bookmarkEveryMs?: number;
  /** When a watch ends that names no time; undefined for never. */
  readonly watchLengthMs?: number;
}

/** The events of a watch, as they travel. */
export interface EventStream extends AsyncIterable<unknown> {
  /** The next event if it is there now; undefined when one has to wait, or when it is over. */
  take(): unknown;
  /** It is over: nothing more comes. */
  readonly closed: boolean;
  /** Ends it; a waiting reader sees its end. */
  close(): void;
}

/** A string that arrives in chunks. */
export interface TextStream extends AsyncIterable<string> {
  /** It is over: nothing more comes. */
  readonly closed: boolean;
  /** Ends it; a waiting reader sees its end. */
  close(): void;
}

/** A whole response, the events of a watch, or a stream of text. */
export type ApiAnswer =
  | {
      readonly kind: "whole";
      readonly status: number;
      /** A JSON value, or a string or bytes by the content type. */
      readonly body: unknown;
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly warnings?: readonly string[];
      /** Sent before a real server sets Cache-Control. */
      readonly isEarly?: boolean;
      /** A list whose items travel without apiVersion and kind, as those of built-in kinds do. */
      readonly bareItems?: boolean;
      /** Indented JSON for every client. */
      readonly indented?: boolean;
    }
  | {
      readonly kind: "watch";
      readonly events: EventStream;
      readonly contentType?: string;
      readonly warnings?: readonly string[];
    }
  | {
      readonly kind: "text";
      readonly chunks: TextStream;
      readonly contentType: string;
      readonly warnings?: readonly string[];
    };
