import { type ApiStatus, isApiStatus, isOperatorError } from "@kubewright/core/errors";
import { isJsonObject, stringifyJson } from "@kubewright/core/json";
import { withoutManagedFields } from "@kubewright/core/meta";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { metadataPart } from "./answer.js";
import { apiVersionOf } from "./api-version.js";
import { isMetadataOnly } from "./metadata-only.js";
import { type Intent, unanswered } from "./request-failure.js";

/** One event of a watch as the server sent it. */
export type ServerWatchEvent<K extends AnyKind> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: ReadOf<K> }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: "ERROR"; readonly status: ApiStatus }
  /** What is none of these, or is of another kind. The watch continues. */
  | { readonly type: "UNEXPECTED"; readonly why: string };

/** Checks one value of a watch stream, once, so that everything behind it is typed. Never throws. */
function parseServerWatchEvent<K extends AnyKind>(kind: K, value: unknown, lean: boolean): ServerWatchEvent<K> {
  if (!isJsonObject(value)) return unexpected("an event that is not an object", value);
  const { type, object } = value as { readonly type?: unknown; readonly object?: unknown };
  if (type === "ERROR") {
    return isApiStatus(object) ? { type, status: object } : unexpected("an error without a status", object);
  }
  if (!isObjectOf(kind, object)) return unexpected(`something that is not a ${kind.kind}`, object);
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      if (typeof object.metadata.name !== "string") return unexpected("an object without a name", object);
      return { type, object: shownAs(kind, lean ? withoutManagedFields(object) : object) };
    case "BOOKMARK":
      return {
        type,
        resourceVersion: object.metadata.resourceVersion,
        initialEventsEnd: object.metadata.annotations?.["k8s.io/initial-events-end"] === "true",
      };
    default:
      return unexpected("an unknown event", value);
  }
}

function shownAs<K extends AnyKind>(kind: K, object: ServerObject): ReadOf<K> {
  return (isMetadataOnly(kind) ? metadataPart(kind, object) : object) as unknown as ReadOf<K>;
}

/** What a watch was asked for. */
export interface WatchedEventsOptions {
  readonly signal: AbortSignal | undefined;
  readonly intent: Intent;
  /** Objects come without their managed fields. */
  readonly withoutManagedFields: boolean;
}

/** The events of an open watch, each checked. Throws when the connection is lost. */
export function watchEvents<K extends AnyKind>(
  kind: K,
  items: AsyncIterable<unknown>,
  options: WatchedEventsOptions,
): AsyncIterable<ServerWatchEvent<K>> {
  return { [Symbol.asyncIterator]: () => new WatchedEvents(kind, items[Symbol.asyncIterator](), options) };
}

/** By hand, not a generator: events come by the thousand, and each would cost several turns more. */
class WatchedEvents<K extends AnyKind> implements AsyncIterator<ServerWatchEvent<K>, undefined> {
  readonly #kind: K;
  readonly #items: AsyncIterator<unknown>;
  readonly #options: WatchedEventsOptions;

  constructor(kind: K, items: AsyncIterator<unknown>, options: WatchedEventsOptions) {
    this.#kind = kind;
    this.#items = items;
    this.#options = options;
  }

  next(): Promise<IteratorResult<ServerWatchEvent<K>, undefined>> {
    return this.#items.next().then(this.#checked, this.#failed);
  }

  readonly #checked = ({ done, value }: IteratorResult<unknown>): IteratorResult<ServerWatchEvent<K>, undefined> =>
    done === true
      ? { done, value: undefined }
      : { done: false, value: parseServerWatchEvent(this.#kind, value, this.#options.withoutManagedFields) };

  readonly #failed = (error: unknown): never => {
    const { signal, intent } = this.#options;
    throw isOperatorError(error) && !signal?.aborted ? error : unanswered(error, signal, intent);
  };

  async return(): Promise<IteratorResult<ServerWatchEvent<K>, undefined>> {
    await this.#items.return?.();
    return { done: true, value: undefined };
  }
}

interface ServerObject {
  readonly metadata: {
    readonly name?: unknown;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, unknown>>;
  };
}

function isObjectOf(kind: AnyKind, value: unknown): value is ServerObject {
  if (!isJsonObject(value)) return false;
  const { kind: name, apiVersion, metadata } = value as Record<string, unknown>;
  const whole = name === kind.kind && apiVersion === apiVersionOf(kind);
  if (!(whole || (name === "PartialObjectMetadata" && isMetadataOnly(kind))) || !isJsonObject(metadata)) return false;
  return typeof (metadata as Record<string, unknown>)["resourceVersion"] === "string";
}

function unexpected(what: string, value: unknown): { readonly type: "UNEXPECTED"; readonly why: string } {
  let start: string;
  try {
    start = stringifyJson(value)?.slice(0, 80) ?? String(value);
  } catch {
    start = "a value that is not JSON";
  }
  return { type: "UNEXPECTED", why: `The watch sent ${what}: ${start}` };
}
