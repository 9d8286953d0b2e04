import type { JsonValue } from "@kubewright/core/json";
import type { User } from "../access/index.js";
import type { MalformedBody, RepeatedFields } from "../registry/index.js";

/** A request as HTTPS and the in-process transport hand it to the one handler: authenticated, its body read. */
export interface ApiRequest {
  /** The authenticated user; the handler replaces it where the headers impersonate another. */
  readonly user: User;
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Every value of the option of that name, which may stand several times; left out where the query has it all. */
  readonly dryRun?: readonly string[];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A fresh copy that nobody else holds; undefined for none. */
  readonly body: JsonValue | undefined;
  /** Another fresh copy of the body of a patch: who takes the first apart may have to quote it. Left out where there is none. */
  again?(): JsonValue;
  /** Fields that stood twice in one object of the body. */
  readonly duplicateFields?: readonly string[];
  /** A body of JSON as it was sent; undefined where it came as a value. */
  readonly sentText?: string;
  /** A patch of JSON as it was sent; undefined where it came as a value. */
  readonly patchText?: string;
  /** Only where fields stood twice. */
  readonly repeated?: RepeatedFields;
  /** Keys that stood twice in a body of YAML. */
  readonly duplicateKeys?: readonly string[];
  /** A body that could not be read. */
  readonly malformed?: MalformedBody;
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
  /** Ends it; a reader that waits is told so. */
  close(): void;
}

/** Text that comes bit by bit. */
export interface TextStream extends AsyncIterable<string> {
  /** It is over: nothing more comes. */
  readonly closed: boolean;
  /** Ends it; a reader that waits is told so. */
  close(): void;
}

/** A whole answer, the events of a watch, or text as it comes. */
export type ApiAnswer =
  | {
      readonly kind: "whole";
      readonly status: number;
      /** JSON value, or text or bytes where the content type says so. */
      readonly body: unknown;
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly warnings?: readonly string[];
      /** Made before a real server has said that answers are not to be kept. */
      readonly isEarly?: boolean;
      /** A list whose items travel without apiVersion and kind, as those of built-in kinds do. */
      readonly bareItems?: boolean;
      /** JSON for people, whoever asks. */
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
