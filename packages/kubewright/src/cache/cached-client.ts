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
import type { Selection } from "./selection.js";

/** Which cached objects of a kind. */
export interface CachedListOptions {
  /** The client's default namespace where it is left out. */
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  /** Labels that must all be equal. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Values of indexes, by their names, that must all fit. */
  readonly index?: Readonly<Record<string, string>>;
}

/**
 * Reads from the informers, writes to the server, and sees its own writes.
 *
 * After a write has been answered, no read here shows an older state of that object, whenever the watch comes round.
 * Only kinds with an informer can be read; others are refused, since starting a watch behind one's back needs rights
 * and memory that nobody declared. For those there is `live`.
 */
export class CachedClient {
  /** Asks the server each time. Writes through it are not seen by cached reads until the watch brings them. */
  readonly live: Client;
  readonly #informers: InformerSet;
  readonly #selectionOf: (kind: AnyKind, indexes?: readonly string[]) => Selection | undefined;

  /** `selectionOf` says of which objects of a kind reads know, with these indexes. @default all that are watched */
  constructor(
    live: Client,
    informers: InformerSet,
    selectionOf: (kind: AnyKind, indexes?: readonly string[]) => Selection | undefined = () => undefined,
  ) {
    this.live = live;
    this.#informers = informers;
    this.#selectionOf = selectionOf;
  }

  /** The object; throws when it is missing. */
  async get<K extends AnyKind>(kind: K, name: NameOf<K>): Promise<ReadOf<K>> {
    const found = await this.find(kind, name);
    if (found !== undefined) return found;
    throw notFound(kind, resolveName(kind, name, this.live.namespace));
  }

  /** The object, or undefined when it is missing. Waits for the first list. */
  async find<K extends AnyKind>(kind: K, name: NameOf<K>): Promise<ReadOf<K> | undefined> {
    return this.read(kind, resolveName(kind, name, this.live.namespace));
  }

  /** The same by the object's key, and at once where the first list has arrived. */
  read<K extends AnyKind>(kind: K, key: ObjectKey): ReadOf<K> | undefined | Promise<ReadOf<K> | undefined> {
    const informer = this.#covering(kind, key.namespace);
    return informer.synced ? informer.find(key) : informer.whenSynced().then(() => informer.find(key));
  }

  /** Every object that matches. Waits for the first list. */
  async list<K extends AnyKind>(kind: K, options: CachedListOptions = {}): Promise<ReadOf<K>[]> {
    return this.readList(kind, options);
  }

  /** The same, at once where the first list has arrived. */
  readList<K extends AnyKind>(kind: K, options: CachedListOptions): ReadOf<K>[] | Promise<ReadOf<K>[]> {
    const everywhere = kind.scope === "Cluster" || options.allNamespaces === true;
    const namespace = everywhere ? undefined : (options.namespace ?? this.live.namespace);
    const { index = {}, labels } = options;
    const indexes = options.index === undefined ? [] : Object.keys(index);
    const selection = this.#selectionOf(kind, indexes.length === 0 ? undefined : indexes);
    if (indexes.length > 0 && selection === undefined) throw noIndex(kind, indexes);
    const informer = this.#covering(kind, namespace ?? "", selection);
    const read = (): ReadOf<K>[] => {
      const objects =
        selection !== undefined && indexes.length > 0
          ? inNamespace(indexed(informer, selection, index, indexes), namespace)
          : informer.list(namespace);
      return labels === undefined ? objects : withLabels(objects, labels);
    };
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
    patch: ObjectPatch,
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
    patch: ObjectPatch,
    options?: WriteOptions,
  ): Promise<ReadOf<K>> {
    return this.#noted(kind, await this.live.patchStatus(kind, name, patch, options), options);
  }

  async updateStatus<K extends AnyKind>(kind: K, object: StatusObject<K>, options?: WriteOptions): Promise<ReadOf<K>> {
    return this.#noted(kind, await this.live.updateStatus(kind, object, options), options);
  }

  /** As the client's `delete`. Reads stop showing the object when it is gone, or show it as going. */
  async delete<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    options: DeleteOptions = {},
  ): Promise<ReadOf<K> | undefined> {
    const key = resolveName(kind, name, this.live.namespace);
    const before = this.#informers.covering(kind, key.namespace, this.#selectionOf(kind))?.find(key);
    const pending = await this.live.delete(kind, name, options);
    if (options.dryRun === true) return pending;
    const uid = options.preconditions?.uid ?? (before === undefined ? undefined : objectMeta(before).uid);
    if (pending !== undefined) this.#informers.noteWrite(kind, pending);
    else if (uid !== undefined) this.#informers.noteDelete(kind, key, uid);
    return pending;
  }

  /** Takes the answer to a write that went another way than through this client. */
  noteWrite<K extends AnyKind>(kind: K, object: ReadOf<K>): void {
    this.#informers.noteWrite(kind, object);
  }

  #noted<K extends AnyKind>(kind: K, object: ReadOf<K>, options: WriteOptions | undefined): ReadOf<K> {
    if (options?.dryRun === true) return object;
    const metadata = objectMeta(object);
    // A write that takes the last finalizer of a dying object away is its end.
    if (isGone(object)) this.#informers.noteDelete(kind, keyOf({ metadata }), metadata.uid ?? "");
    else this.#informers.noteWrite(kind, object);
    return object;
  }

  #covering<K extends AnyKind>(kind: K, namespace: string, selection = this.#selectionOf(kind)): Informer<K> {
    const informer = this.#informers.covering(kind, namespace, selection);
    if (informer !== undefined) return informer;
    const where = namespace === "" ? "" : ` in namespace "${namespace}"`;
    throw new OperatorError(
      "NOT_SUPPORTED",
      `Cannot read ${kind.kind} objects${where} from the cache: nothing watches them`,
    );
  }
}

function inNamespace<T>(objects: T[], namespace: string | undefined): T[] {
  return namespace === undefined
    ? objects
    : objects.filter((object) => (objectMeta(object).namespace ?? "") === namespace);
}

function withLabels<T>(objects: readonly T[], wanted: Readonly<Record<string, string>>): T[] {
  const pairs = Object.entries(wanted);
  return objects.filter((object) => {
    const { labels } = objectMeta(object);
    return pairs.every(([key, value]) => labels !== undefined && Object.hasOwn(labels, key) && labels[key] === value);
  });
}

/** The objects that fit every index. The first one finds, the others are asked. */
function indexed<K extends AnyKind>(
  informer: Informer<K>,
  { indexes }: Selection,
  wanted: Readonly<Record<string, string>>,
  names: readonly string[],
): ReadOf<K>[] {
  const fits = (object: ReadOf<K>): boolean =>
    names.every((name) => {
      const values = indexes.get(name)?.valuesOf(object as ReadOf<AnyKind>);
      return typeof values === "object" ? values.includes(wanted[name] ?? "") : values === wanted[name];
    });
  const [first = ""] = names;
  const index = indexes.get(first);
  if (index === undefined) return [];
  const found = informer.byIndex(index.id, wanted[first] ?? "", fits);
  return names.length === 1 ? found : found.filter(fits);
}

function noIndex(kind: AnyKind, names: readonly string[]): OperatorError {
  const which = names.map((name) => `"${name}"`).join(", ");
  return new OperatorError(
    "CONFIG_INVALID",
    `Cannot list ${kind.kind} objects by ${which}: there is no such index; declare it by \`select(${kind.kind}, { indexes })\``,
  );
}

/** The error that a server would give. */
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
