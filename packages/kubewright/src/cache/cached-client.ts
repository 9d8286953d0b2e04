import { ApiError, OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf, type ObjectKey, qualifiedResource } from "@kubewright/core/identity";
import {
  type ApplyOptions,
  type Client,
  type DeleteOptions,
  isGone,
  type NameOf,
  type NewObject,
  type ObjectPatch,
  objectMeta,
  resolveName,
  type StatusObject,
  type WriteOptions,
  type WrittenObject,
} from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { Informer } from "./informer.js";
import type { InformerSet } from "./informer-set.js";
import { type CachedListOptions, ListQuery } from "./list-query.js";
import type { Selection } from "./selection.js";

/** Observes the writes of a client that the server accepted; undefined for a deleted object. Must not throw. */
export type WriteListener = (kind: AnyKind, key: ObjectKey, object: object | undefined) => void;

/**
 * Reads from the informers, writes to the server, and reads its own writes.
 *
 * After a write returned, no read shows an older state of that object, even if the watch lags behind. Only kinds with an informer can be read;
 * other kinds are rejected, because an implicit watch would need undeclared permissions and memory. Use `live` for those.
 */
export class CachedClient {
  /** Reads from the server each time. Cached reads see writes through it only after the watch event. */
  readonly live: Client;
  readonly #informers: InformerSet;
  readonly #selectionOf: (kind: AnyKind, indexes?: readonly string[]) => Selection | undefined;
  readonly #onWrite: WriteListener | undefined;

  /** `selectionOf` returns the selection that serves reads of a kind with these indexes. @default all watched objects */
  constructor(
    live: Client,
    informers: InformerSet,
    selectionOf: (kind: AnyKind, indexes?: readonly string[]) => Selection | undefined = () => undefined,
    onWrite?: WriteListener,
  ) {
    this.live = live;
    this.#informers = informers;
    this.#selectionOf = selectionOf;
    this.#onWrite = onWrite;
  }

  /** Returns the object; throws if it does not exist. */
  async get<K extends AnyKind>(kind: K, name: NameOf<K>): Promise<ReadOf<K>> {
    const found = await this.find(kind, name);
    if (found !== undefined) return found;
    throw notFound(kind, resolveName(kind, name, this.live.namespace));
  }

  /** Returns the object; undefined if it does not exist. Waits for the initial list. */
  async find<K extends AnyKind>(kind: K, name: NameOf<K>): Promise<ReadOf<K> | undefined> {
    return this.read(kind, resolveName(kind, name, this.live.namespace));
  }

  /** As `find`, by key; synchronous after the initial list. */
  read<K extends AnyKind>(kind: K, key: ObjectKey): ReadOf<K> | undefined | Promise<ReadOf<K> | undefined> {
    const informer = this.#covering(kind, key.namespace);
    return informer.synced ? informer.find(key) : informer.whenSynced().then(() => informer.find(key));
  }

  /** Returns the object if the cache has it now; undefined also where the kind is not cached. */
  peek<K extends AnyKind>(kind: K, key: ObjectKey): ReadOf<K> | undefined {
    return this.#informers.covering(kind, key.namespace, this.#selectionOf(kind))?.find(key);
  }

  /** Returns all objects that match. Waits for the initial list. */
  async list<K extends AnyKind>(kind: K, options: CachedListOptions = {}): Promise<ReadOf<K>[]> {
    return this.readList(kind, options);
  }

  /** As `list`; synchronous after the initial list. */
  readList<K extends AnyKind>(kind: K, options: CachedListOptions): ReadOf<K>[] | Promise<ReadOf<K>[]> {
    return this.readQuery(kind, this.query(kind, options));
  }

  /** The query that these options mean. Throws CONFIG_INVALID when an index is not declared or a selector is invalid. */
  query(kind: AnyKind, options: CachedListOptions): ListQuery {
    const everywhere = kind.scope === "Cluster" || options.allNamespaces === true;
    const namespace = everywhere ? undefined : (options.namespace ?? this.live.namespace);
    const indexes = options.index === undefined ? [] : Object.keys(options.index);
    const selection = this.#selectionOf(kind, indexes.length === 0 ? undefined : indexes);
    if (indexes.length > 0 && selection === undefined) throw noIndex(kind, indexes);
    return new ListQuery(options, { namespace, selection });
  }

  /** The objects of a query. Synchronous after the initial list. */
  readQuery<K extends AnyKind>(kind: K, query: ListQuery): ReadOf<K>[] | Promise<ReadOf<K>[]> {
    const informer = this.#covering(kind, query.namespace ?? "", query.selection);
    const read = (): ReadOf<K>[] => informer.query(query);
    return informer.synced ? read() : informer.whenSynced().then(read);
  }

  async create<K extends AnyKind>(kind: K, object: NewObject<K>, options?: WriteOptions): Promise<ReadOf<K>> {
    return this.#noted(kind, await this.live.create(kind, object, options), options);
  }

  async update<K extends AnyKind>(kind: K, object: WrittenObject<K>, options?: WriteOptions): Promise<ReadOf<K>> {
    return this.#noted(kind, await this.live.update(kind, object, options), options);
  }

  async patch<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    patch: ObjectPatch<NoInfer<K>>,
    options?: WriteOptions,
  ): Promise<ReadOf<K>> {
    return this.#noted(kind, await this.live.patch(kind, name, patch, options), options);
  }

  async apply<K extends AnyKind>(kind: K, object: WrittenObject<K>, options?: ApplyOptions): Promise<ReadOf<K>> {
    return this.#noted(kind, await this.live.apply(kind, object, options), options);
  }

  async patchStatus<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    patch: ObjectPatch<NoInfer<K>>,
    options?: WriteOptions,
  ): Promise<ReadOf<K>> {
    return this.#noted(kind, await this.live.patchStatus(kind, name, patch, options), options);
  }

  async updateStatus<K extends AnyKind>(kind: K, object: StatusObject<K>, options?: WriteOptions): Promise<ReadOf<K>> {
    return this.#noted(kind, await this.live.updateStatus(kind, object, options), options);
  }

  /** As the client's `delete`. Afterwards reads return no object, or one with a deletionTimestamp. */
  async delete<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    options: DeleteOptions = {},
  ): Promise<ReadOf<K> | undefined> {
    const key = resolveName(kind, name, this.live.namespace);
    const before = this.peek(kind, key);
    const pending = await this.live.delete(kind, name, options);
    if (options.dryRun === true) return pending;
    const uid = options.preconditions?.uid ?? (before === undefined ? undefined : objectMeta(before).uid);
    if (pending !== undefined) this.#informers.noteWrite(kind, pending);
    else if (uid !== undefined) this.#informers.noteDelete(kind, key, uid);
    this.#onWrite?.(kind, key, undefined);
    return pending;
  }

  /** Records the response of a write that was not sent through this client. */
  noteWrite<K extends AnyKind>(kind: K, object: ReadOf<K>): void {
    this.#informers.noteWrite(kind, object);
  }

  #noted<K extends AnyKind>(kind: K, object: ReadOf<K>, options: WriteOptions | undefined): ReadOf<K> {
    if (options?.dryRun === true) return object;
    const metadata = objectMeta(object);
    // Removing the last finalizer of an object with a deletionTimestamp deletes it.
    if (isGone(object)) this.#informers.noteDelete(kind, keyOf({ metadata }), metadata.uid ?? "");
    else this.#informers.noteWrite(kind, object);
    this.#onWrite?.(kind, keyOf({ metadata }), object as object);
    return object;
  }

  #covering<K extends AnyKind>(kind: K, namespace: string, selection = this.#selectionOf(kind)): Informer<K> {
    const informer = this.#informers.covering(kind, namespace, selection);
    if (informer !== undefined) return informer;
    const where = namespace === "" ? "" : ` in namespace "${namespace}"`;
    throw new OperatorError(
      "NOT_SUPPORTED",
      `Cannot read ${kind.kind} objects${where} from the cache: no informer watches them`,
    );
  }
}

function noIndex(kind: AnyKind, names: readonly string[]): OperatorError {
  const which = names.map((name) => `"${name}"`).join(", ");
  return new OperatorError(
    "CONFIG_INVALID",
    `Cannot list ${kind.kind} objects by ${which}: there is no such index; declare it with \`select(${kind.kind}, { indexes })\``,
  );
}

/** The error that the server would return. */
function notFound(kind: AnyKind, key: ObjectKey): ApiError {
  const message = `${qualifiedResource(kind.group, kind.plural)} "${key.name}" not found`;
  return new ApiError(404, `Cannot get ${kind.kind} "${formatKey(key)}": ${message}`, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: "NotFound",
    details: { name: key.name, group: kind.group, kind: kind.plural },
    code: 404,
  });
}
