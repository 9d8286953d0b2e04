import type { JsonValue } from "@kubewright/core/json";

/** A parsed request body: the same for HTTPS and for in-process requests. */
export interface RequestBody {
  /** A copy that the request may change in place; undefined for an empty or malformed body. */
  readonly value: JsonValue | undefined;
  /** The raw body, for messages that quote it. */
  text(): string;
  /** The parse error; undefined if there is none. */
  readonly malformed?: MalformedBody;
  /** One message for each duplicate key; the last value wins. */
  readonly duplicates: readonly string[];
  /** The fields of a JSON body in document order, for messages about several of them. @default duplicates come before unknown fields */
  fields?(): readonly DocumentField[];
}

/** A field of a document. */
export interface DocumentField {
  /** `spec.containers[0].name`. */
  readonly path: string;
  /** Whether the same object had the field before. */
  readonly isDuplicate: boolean;
}

/** The parse error of a body. */
export interface MalformedBody {
  /** The expected format; `unsupported` for an unknown media type. */
  readonly format: "json" | "yaml" | "protobuf" | "unsupported";
  /** The parser's message. */
  readonly message: string;
}

/** A request without a body. */
export const emptyBody: RequestBody = { value: undefined, text: () => "", duplicates: [] };
