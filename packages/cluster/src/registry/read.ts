import { formatApiVersion } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import { ExpiredError, type Store, type StoredRecord } from "../storage/index.js";
import { ApiFailure, expired, notFound } from "./api-failure.js";
import { decodeContinue, encodeContinue } from "./continue-token.js";
import type { ListQuery } from "./list-query.js";
import type { Resource } from "./resource.js";
import { recordKey } from "./write-context.js";

/** One object as it is now. */
export function getObject(store: Store, resource: Resource, namespace: string, name: string): JsonObject {
  const record = store.bucket(resource.bucket).get(recordKey(namespace, name));
  if (!record) throw notFound(resource, name);
  return resource.fromStored(record.object);
}

/** A list as it is answered; `items` are the stored values themselves. */
export interface ListAnswer {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
  readonly items: readonly JsonObject[];
}

/** The objects of a namespace (or of all, when it is empty) that a query asks for. */
export function listObjects(store: Store, resource: Resource, namespace: string, query: ListQuery): ListAnswer {
  const prefix = namespace === "" ? "" : `${namespace}/`;
  const { revision, start, records } = pageFor(store, resource, prefix, query);
  const items: JsonObject[] = [];
  let last: StoredRecord | undefined;
  let more = false;
  let seen = 0;
  for (const record of records) {
    if (start !== "" && record.key < start) continue;
    if (query.limit > 0 && items.length === query.limit) {
      more = true;
      break;
    }
    seen++;
    last = record;
    const object = resource.fromStored(record.object);
    if (query.matches(object)) items.push(object);
  }
  const skipped = start === "" ? 0 : records.filter((record) => record.key < start).length;
  const remaining = records.length - skipped - seen;
  return {
    kind: resource.listKind,
    apiVersion: formatApiVersion(resource.group, resource.version),
    metadata: {
      resourceVersion: String(revision),
      ...(more && last
        ? {
            continue: encodeContinue(revision, `/${last.key.slice(prefix.length)}\u0000`),
            ...(query.selective ? {} : { remainingItemCount: remaining }),
          }
        : // Lists of custom resources always name it, as those of a real server do.
          resource.origin === "custom"
          ? { continue: "" }
          : {}),
    },
    items,
  };
}

interface Page {
  readonly revision: number;
  /** Keys before it were in earlier pages. */
  readonly start: string;
  readonly records: readonly StoredRecord[];
}

function pageFor(store: Store, resource: Resource, prefix: string, query: ListQuery): Page {
  const bucket = store.bucket(resource.bucket);
  if (query.continueToken !== "") {
    const token = decodeContinue(query.continueToken);
    // The revision -1 continues on the present state, after the history was compacted.
    const revision = token.revision === -1 ? store.revision : token.revision;
    try {
      return { revision, start: prefix + token.start.slice(1), records: bucket.listAt(revision, prefix) };
    } catch (error) {
      if (!(error instanceof ExpiredError)) throw error;
      throw expired(
        "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
        { continue: encodeContinue(-1, token.start) },
      );
    }
  }
  const exact = query.match === "Exact" || (query.match === "" && query.limit > 0 && query.revision > 0);
  if (query.revision > store.revision) throw tooLarge(query.revision, store.revision);
  if (!exact) return { revision: store.revision, start: "", records: bucket.list(prefix) };
  try {
    return { revision: query.revision, start: "", records: bucket.listAt(query.revision, prefix) };
  } catch (error) {
    if (error instanceof ExpiredError) throw expired("The resourceVersion for the provided list is too old.");
    throw error;
  }
}

/** 504: the client has seen a future that this server has not. */
export function tooLarge(asked: number, current: number): ApiFailure {
  return new ApiFailure(504, "Timeout", `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}
