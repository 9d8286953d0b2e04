import type { User } from "../access/index.js";
import type { AuditTrail, RequestStage } from "../audit/index.js";
import type { RequestBody } from "../registry/index.js";
import type { ConnectTarget } from "./connect/connect-target.js";

/** A request as the HTTPS server and the in-process transport pass it to the handler: authenticated, its body read. */
export interface ApiRequest {
  /** The authenticated user; the handler replaces it if the headers impersonate another user. */
  readonly user: User;
  /**
   * Skips authorization, for components of this process: they send other requests than kube-controller-manager, whose requests the bootstrap
   * roles allow. @default false
   */
  readonly isTrusted?: boolean;
  /** Called for each stage of the request. */
  readonly observe?: (stage: RequestStage) => void;
  /** Called for each annotation of the audit event. */
  readonly annotate?: (key: string, value: string) => void;
  /** Records the audit events of the request. @default none are recorded */
  readonly trail?: AuditTrail;
  /** The address of the client; undefined in process. */
  readonly source?: string | undefined;
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The query string as sent; undefined in process. */
  readonly search?: string;
  /** Every value of the `dryRun` parameter, which may be repeated; undefined if `query` holds its only value. */
  readonly dryRun?: readonly string[];
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of `Impersonate-*` headers, one for each line. @default values in `headers` are separated by commas */
  readonly repeatedHeaders?: ReadonlyMap<string, readonly string[]>;
  readonly body: RequestBody;
  readonly signal: AbortSignal | undefined;
  /** Interval of bookmarks, for watches that allow them; undefined for none. */
  readonly bookmarkEveryMs?: number;
  /** Timeout of a watch without `timeoutSeconds`; undefined for none. */
  readonly watchLengthMs?: number;
}

/** The events of a watch, as sent to the client. */
export interface EventStream extends AsyncIterable<unknown> {
  /** The next event, without waiting; undefined if there is none yet, or if the stream is closed. */
  take(): unknown;
  /** No more events follow. */
  readonly closed: boolean;
  /** Closes the stream, also for a waiting reader. */
  close(): void;
}

/** A text response in chunks, such as a followed log. */
export interface TextStream extends AsyncIterable<string> {
  /** No more chunks follow. */
  readonly closed: boolean;
  /** Closes the stream, also for a waiting reader. */
  close(): void;
}

/** A complete response. */
export interface WholeResponse {
  readonly kind: "whole";
  readonly status: number;
  /** A JSON value, or a string or bytes, depending on the content type. */
  readonly body: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
  /** kube-apiserver sends this response before it sets Cache-Control. */
  readonly isEarly?: boolean;
  /** Omits apiVersion and kind of list items, as for built-in kinds. */
  readonly bareItems?: boolean;
  /** Pretty-prints the JSON for every client. */
  readonly indented?: boolean;
}

/** A complete response, the events of a watch, a text stream, or where the request is forwarded to. */
export type ApiResponse =
  | WholeResponse
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
    }
  | { readonly kind: "connect"; readonly target: ConnectTarget; readonly warnings?: readonly string[] };
