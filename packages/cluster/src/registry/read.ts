import { formatApiVersion } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import { type Bucket, ExpiredError, type Scan, type Store, type StoredRecord } from "../storage/index.js";
import { ApiFailure, expired, notFound } from "./api-failure.js";
import { decodeContinue, encodeContinue } from "./continue-token.js";
import { andThen, type Eventually } from "./eventually.js";
import type { ListQuery } from "./list-query.js";
import { type Resource, readStored } from "./resource.js";
import { recordKey } from "./write-context.js";

/** The namespace and name in a request. */
export interface ObjectName {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
}

/** The live object. Rejects a `revision` that the store has not reached. */
export function getObject(store: Store, resource: Resource, name: ObjectName, revision = 0): Eventually<JsonObject> {
  if (revision > store.revision) throw tooLarge(revision, store.revision);
  return readStored(resource, getStored(store, resource, name));
}

/** The live object in its stored form, for kinds that need no conversion. */
export function getStored(store: Store, resource: Resource, { namespace, name }: ObjectName): JsonObject {
  const record = store.bucket(resource.bucket).get(recordKey(namespace, name));
  if (!record) throw notFound(resource, name);
  return record.object;
}

/** The response to a list. `items` are the stored values, not copies. */
export interface ObjectList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
  readonly items: readonly JsonObject[];
}

/** Lists the objects of a namespace, or of all namespaces if it is empty. */
export function listObjects(
  store: Store,
  resource: Resource,
  namespace: string,
  query: ListQuery,
): Eventually<ObjectList> {
  const prefix = namespace === "" ? "" : `${namespace}/`;
  const page = pageFor(store, resource, prefix, query);
  if (!resource.load) return listPage(resource, prefix, query, page);
  const records = [...page.scan.records];
  // Selectors match converted objects: with a selector, all records must be converted before the page is known.
  const shown = query.limit > 0 && !query.selective ? records.slice(0, query.limit) : records;
  const loading = resource.load(shown.map((record) => record.object));
  return andThen(loading, () => listPage(resource, prefix, query, { ...page, scan: { ...page.scan, records } }));
}

function listPage(resource: Resource, prefix: string, query: ListQuery, { revision, scan }: Page): ObjectList {
  const items: JsonObject[] = [];
  let last: StoredRecord | undefined;
  let more = false;
  let seen = 0;
  for (const record of scan.records) {
    if (query.limit > 0 && items.length === query.limit) {
      more = true;
      break;
    }
    seen++;
    last = record;
    const object = resource.fromStored(record.object);
    if (query.matches(object)) items.push(object);
  }
  return {
    kind: resource.listKind,
    apiVersion: formatApiVersion(resource.group, resource.version),
    metadata: {
      resourceVersion: String(revision),
      ...(more && last
        ? {
            continue: encodeContinue(revision, `/${last.key.slice(prefix.length)}\u0000`),
            ...(query.selective ? {} : { remainingItemCount: scan.count - seen }),
          }
        : // A list of custom resources always has `continue`, as in kube-apiserver.
          resource.origin === "custom"
          ? { continue: "" }
          : {}),
    },
    items,
  };
}

interface Page {
  /** The revision of the snapshot. */
  readonly revision: number;
  readonly scan: Scan;
}

function pageFor(store: Store, resource: Resource, prefix: string, query: ListQuery): Page {
  const bucket = store.bucket(resource.bucket);
  if (query.continueToken !== "") {
    const token = decodeContinue(query.continueToken);
    const start = prefix + token.start.slice(1);
    // -1: an inconsistent continue at the latest revision, after compaction.
    if (token.revision === -1) return { revision: store.revision, scan: bucket.scan({ prefix, start }) };
    if (token.revision > store.revision) throw tooLarge(token.revision, store.revision);
    const { revision } = token;
    try {
      return { revision, scan: bucket.scan({ prefix, start, revision }) };
    } catch (error) {
      if (!(error instanceof ExpiredError)) throw error;
      throw expired(
        "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
        { continue: encodeContinue(-1, token.start) },
      );
    }
  }
  const one = oneOf(bucket, resource, prefix, query);
  const isPaged = one === undefined && query.limit > 0 && query.revision > 0;
  const exact = query.match === "Exact" || (query.match === "" && isPaged);
  const { revision } = query;
  if (revision > store.revision) throw tooLarge(revision, store.revision);
  if (!exact) return { revision: store.revision, scan: one ?? bucket.scan({ prefix }) };
  try {
    return { revision, scan: bucket.scan({ prefix, revision }) };
  } catch (error) {
    if (error instanceof ExpiredError) throw expired("The resourceVersion for the provided list is too old.");
    throw error;
  }
}

/** A list with `metadata.name=` in one namespace is a get: it reads one record and has no further page. */
function oneOf(bucket: Bucket, resource: Resource, prefix: string, { onlyName }: ListQuery): Scan | undefined {
  if (onlyName === undefined || (resource.namespaced && prefix === "")) return undefined;
  const record = bucket.get(prefix + onlyName);
  return { count: record ? 1 : 0, records: record ? [record] : [] };
}

/** 504: the requested resourceVersion is newer than the store's. */
export function tooLarge(requested: number, current: number): ApiFailure {
  return new ApiFailure(504, "Timeout", `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}
