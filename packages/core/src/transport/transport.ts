/** One request to an API server, independent of how it travels. */
export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path without query, for instance `/apis/apps/v1/namespaces/default/deployments`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value (whatever the content type says); undefined for none. In process it is copied once by the receiver. */
  readonly body?: unknown;
  /**
   * The reader has no use for `metadata.managedFields` of the object, of a list's items or of a watch's objects. A transport that reads bytes
   * may then leave them out, which is half of all bytes and of the work; one that does not is right too.
   */
  readonly withoutManagedFields?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A whole answer, successful or not. Failures of the server are answers, not exceptions. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON value. In process it is the server's own frozen value; text bodies are strings. */
  readonly body: unknown;
}

/** The answer to a watch: a stream when the server accepted it, else an ordinary answer. */
export type TransportStream =
  | {
      readonly kind: "stream";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /**
       * One parsed JSON value per watch event. Ends when the server ends it; throws a TRANSPORT_FAILED error when the
       * connection is lost; returning from the loop or aborting the request's signal closes it.
       */
      readonly items: AsyncIterable<unknown>;
    }
  | { readonly kind: "answer"; readonly response: TransportResponse };

/**
 * How requests reach an API server: over HTTPS, or in process without bytes.
 *
 * Rejects with a TRANSPORT_FAILED error when there is no answer, and with the signal's reason when it was aborted.
 */
export interface Transport {
  /** Sends a request and reads the whole response. Rejects with TRANSPORT_FAILED when there is none, and with the signal's reason. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Sends a request and returns its response as a stream of events, or whole when it is not a 200. */
  stream(request: TransportRequest): Promise<TransportStream>;
  /** Ends what is open. Resolves when nothing of it is left. */
  close(): Promise<void>;
}
