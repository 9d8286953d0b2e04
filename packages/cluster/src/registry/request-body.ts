import type { JsonValue } from "@kubewright/core/json";

/** How one request body was read: the same value for HTTPS requests and for requests in process. */
export interface RequestBody {
  /** A copy that the request may change in place; undefined for an empty body and for one that could not be read. */
  readonly value: JsonValue | undefined;
  /** The body as it was sent, for messages that quote it. */
  text(): string;
  /** Why the body could not be read; undefined when it could. */
  readonly malformed?: MalformedBody;
  /** One message for each key that an object of the body has twice; the last value counts. */
  readonly duplicates: readonly string[];
}

/** A body that could not be read. */
export interface MalformedBody {
  /** What the body should have been; `unsupported` for a media type that is never read. */
  readonly format: "json" | "yaml" | "protobuf" | "unsupported";
  /** The parser's own message. */
  readonly message: string;
}

/** A request without a body. */
export const emptyBody: RequestBody = { value: undefined, text: () => "", duplicates: [] };
