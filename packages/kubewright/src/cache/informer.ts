import type { Clock, Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf, type ObjectKey } from "@kubewright/core/identity";
import { deepFreeze } from "@kubewright/core/json";
import { type Logger, safeLogger, silentLogger } from "@kubewright/core/log";
import { isOlderVersion, objectMeta, type StageListener } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { ListWatch, type ListWatchState, type WatchActivity, type WatchEvent, wentBack } from "../watch/index.js";
import { approximateBytes } from "./approximate-bytes.js";
import type { Change } from "./change.js";
import type { HandlerOptions, HandlerRegistration, InformerOptions } from "./informer-options.js";
import type { ListQuery } from "./list-query.js";
import type { ObjectIndex } from "./object-index.js";
import { PendingWrites } from "./pending-writes.js";
import { everything, type Selection } from "./selection.js";
import { type IndexFunction, Store, type StoredKeys } from "./store.js";

/** How an object arrived. */
interface Arrival {
  readonly initial: boolean;
  /** The server lost changes that were observed, and own writes. */
  readonly isRestored: boolean;
  readonly listed: boolean;
}

const fromWatch: Arrival = { initial: false, isRestored: false, listed: false };

interface Handler<K extends AnyKind> {
  readonly handle: (change: Change<K>) => void;
  synced: boolean;
  resync: Timer | undefined;
}

/**
 * A local copy of the objects of one kind, kept up to date by a watch.
 *
 * Handlers receive each change in order, synchronously on arrival; an error of one handler is logged and does not affect the others. Objects are
 * frozen on their first read, and are never older than a write recorded with `noteWrite`.
 */
export class Informer<K extends AnyKind> {
  readonly kind: K;
  readonly namespaces: readonly string[] | undefined;
  readonly selection: Selection;
  readonly #store = new Store<K>();
  readonly #pending = new PendingWrites<K>();
  /** The latest resourceVersion of the watch of each namespace, or of the one watch of all namespaces. */
  readonly #reached = new Map<string | undefined, string>();
  /** Replaced, never mutated: a change goes to the handlers that were registered when it arrived. */
  #handlers: readonly Handler<K>[] = [];
  /** One per namespace, or one for all namespaces. */
  readonly #listWatches: readonly ListWatch<K>[];
  #managedFields: boolean;
  /** Those that have not delivered objects with managedFields since {@link keepManagedFields}. */
  readonly #withoutManagedFields = new Set<ListWatch<K>>();
  /** How many of them have not delivered their initial list yet. */
  #unsynced: number;
  readonly #log: Logger;
  readonly #onStage: StageListener | undefined;
  readonly #clock: Clock;
  readonly #random: () => number;
  #running: Promise<void> | undefined;
  readonly #waiting = new Set<{ holds(): boolean; resolve(): void; reject(error: Error): void }>();

  constructor(options: InformerOptions<K>) {
    this.kind = options.kind;
    this.namespaces = options.namespaces;
    this.selection = options.selection ?? everything;
    this.#log = safeLogger(options.logger ?? silentLogger).child({ kind: options.kind.id });
    this.#onStage = options.onStage;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#managedFields = options.managedFields ?? false;
    const { labels, fields } = this.selection;
    const { selection: _, namespaces, ...common } = options;
    const selectors = { ...(labels !== undefined && { labels }), ...(fields !== undefined && { fields }) };
    this.#listWatches = (namespaces ?? [undefined]).map((namespace) => {
      let read = false;
      const deliver = (event: WatchEvent<K>): void => {
        this.#receive(event, namespace, !read);
        if (event.type !== "replaced") return;
        if (!listWatch.relisting) this.#withoutManagedFields.delete(listWatch);
        if (!read) this.#unsynced -= 1;
        read = true;
        this.#settle();
      };
      const scope = namespace === undefined ? {} : { namespace };
      const listWatch = new ListWatch({ ...common, ...selectors, ...scope, deliver, mark: () => this.#pending.mark() });
      return listWatch;
    });
    this.#unsynced = this.#listWatches.length;
  }

  /** Lists and watches until `signal` aborts. Resolves when it has stopped. Can run once. */
  run(signal: AbortSignal): Promise<void> {
    if (this.#running !== undefined) {
      throw new OperatorError("STOPPED", `Cannot start the informer for ${this.kind.kind}: it was already started`);
    }
    this.#running = Promise.all(this.#listWatches.map((listWatch) => listWatch.run(signal))).then(() => {
      for (const { reject } of this.#waiting) reject(this.#stopped());
      this.#waiting.clear();
      for (const handler of this.#handlers) handler.resync?.cancel();
    });
    return this.#running;
  }

  /** Resolves when it has stopped; at once if it never ran. */
  get ended(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Whether the initial list has arrived. */
  get synced(): boolean {
    return this.#unsynced === 0;
  }

  /** Whether the watch is open and all its events have been delivered. */
  get idle(): boolean {
    return this.synced && this.#listWatches.every((listWatch) => listWatch.idle);
  }

  /** The state of the watch, for health checks and the console; of several watches, the least healthy one. */
  get state(): ListWatchState {
    const states = this.#listWatches.map((listWatch) => listWatch.state);
    const worst = states.find(({ kind }) => kind === "backoff") ?? states.find(({ kind }) => kind !== "watch");
    return worst ?? states[0] ?? { kind: "stopped" };
  }

  /** The last error of list or watch; undefined while it succeeds. */
  get lastError(): unknown {
    return this.#listWatches.map(({ lastError }) => lastError).find((error) => error !== undefined);
  }

  /** What its watches have done again since their start (restarts, relists), together; `lastEventMs` is that of the watch that was silent for longest. */
  get activity(): WatchActivity {
    const all = this.#listWatches.map(({ activity }) => activity);
    const sum = (count: (one: WatchActivity) => number): number => all.reduce((total, one) => total + count(one), 0);
    return {
      // Without the first of each.
      watches: sum(({ watches }) => Math.max(watches - 1, 0)),
      lists: sum(({ lists }) => Math.max(lists - 1, 0)),
      expired: sum(({ expired }) => expired),
      lastEventMs: Math.min(...all.map(({ lastEventMs }) => lastEventMs)),
    };
  }

  /** Estimated size of the objects as JSON, from a sample. Slow: for metrics, not for each reconcile. */
  get approximateBytes(): number {
    return approximateBytes(this.#store.list(), this.#store.size);
  }

  /** Whether it watches a namespace, "" for all namespaces. */
  covers(namespace: string): boolean {
    return this.namespaces === undefined || this.namespaces.includes(namespace);
  }

  /** Number of cached objects. */
  get size(): number {
    return this.#store.size;
  }

  /** Resolves when the initial list has arrived; rejects if the informer stops before. */
  whenSynced(): Promise<void> {
    return this.#when(() => this.synced);
  }

  #when(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    if (this.state.kind === "stopped") return Promise.reject(this.#stopped());
    return new Promise((resolve, reject) => this.#waiting.add({ holds, resolve, reject }));
  }

  /** Adds a handler. It receives the cached objects at once, as initial additions. */
  addHandler(handle: (change: Change<K>) => void, { resyncMs }: HandlerOptions = {}): HandlerRegistration {
    const handler: Handler<K> = { handle, synced: false, resync: undefined };
    this.#handlers = [...this.#handlers, handler];
    for (const object of this.#store.list()) this.#deliver(handler, { kind: "added", new: object, initial: true });
    handler.synced = this.synced;
    if (resyncMs !== undefined) this.#startResync(handler, resyncMs);
    return {
      get synced() {
        return handler.synced;
      },
      remove: () => {
        this.#handlers = this.#handlers.filter((other) => other !== handler);
        handler.resync?.cancel();
      },
    };
  }

  /** Ends the current backoff, because the cause of the failure has changed. */
  retryNow(): void {
    for (const listWatch of this.#listWatches) listWatch.retryNow();
  }

  /**
   * From now on objects keep `metadata.managedFields`: relists. Resolves when the cached objects have them; rejects if the informer stops before.
   * Until then reads return the objects without them. Handlers receive no change for them.
   */
  keepManagedFields(): Promise<void> {
    if (!this.#managedFields) {
      this.#managedFields = true;
      for (const listWatch of this.#listWatches) {
        this.#withoutManagedFields.add(listWatch);
        listWatch.keepManagedFields();
      }
    }
    return this.#when(() => this.#withoutManagedFields.size === 0);
  }

  /** The server no longer serves the kind: removes all cached objects, as tombstones. */
  vanished(): void {
    for (const key of [...this.#store.keys().keys()]) this.#remove(key, undefined, "");
    this.#pending.clear();
  }

  /** Adds an index. Throws if the name is taken. */
  addIndex(name: string, valuesOf: IndexFunction<K>): void {
    this.#store.addIndex(name, valuesOf);
    this.#pending.addIndex(name, valuesOf);
  }

  /** Adds an index of a selection unless it exists. An object for which the index function throws is not indexed, which is logged. */
  ensureIndex({ id, valuesOf }: ObjectIndex): void {
    if (this.#store.hasIndex(id)) return;
    const failed = (err: unknown, object: ReadOf<AnyKind>): void =>
      this.#log.error({ err, name: objectMeta(object).name }, "Index function failed, the object is not indexed");
    this.addIndex(id, (object) => valuesOf(object as ReadOf<AnyKind>, failed));
  }

  /** Returns the frozen object; undefined if it does not exist. */
  find(key: ObjectKey): ReadOf<K> | undefined {
    return this.byKey(formatKey(key));
  }

  /** As `find`, by the formatted key. */
  byKey(key: string): ReadOf<K> | undefined {
    return frozen<K>(this.#pending.read(key, this.#store.get(key)));
  }

  /** Returns the formatted keys of all objects. Unlike a list, this reads no object. */
  keys(): string[] {
    const keys = new Set([...this.#store.keys().keys(), ...this.#pending.written().keys()]);
    return [...keys].filter((key) => this.#pending.read(key, this.#store.get(key)) !== undefined);
  }

  /** Returns all frozen objects, or those of one namespace. */
  list(namespace?: string): ReadOf<K>[] {
    return this.#read(this.#store.keys(namespace), this.#pending.written(namespace), () => true);
  }

  /** Returns the frozen objects under an index value. `matches` filters objects that were written but are not in the watch yet. */
  byIndex(name: string, value: string, matches: (object: ReadOf<K>) => boolean): ReadOf<K>[] {
    return this.#read(this.#store.keysUnder(name, value), this.#pending.writtenUnder(name, value), matches);
  }

  /** Returns the frozen objects of a query: looks up its first index, and filters by the rest. */
  query(query: ListQuery): ReadOf<K>[] {
    const { namespace, indexes } = query;
    const [first] = indexes;
    if (first === undefined) {
      const found = this.list(namespace);
      return query.filters ? found.filter((object) => query.selects(object as ReadOf<AnyKind>)) : found;
    }
    const isIndexed = (object: ReadOf<K>): boolean => query.isIndexed(object as ReadOf<AnyKind>);
    let found = this.byIndex(first.index.id, first.value, isIndexed);
    if (indexes.length > 1) found = found.filter(isIndexed);
    if (namespace !== undefined) found = found.filter((object) => (objectMeta(object).namespace ?? "") === namespace);
    return query.filters ? found.filter((object) => query.selects(object as ReadOf<AnyKind>)) : found;
  }

  /** Records the response of a write: from now on no read shows an older state of this object. */
  noteWrite(object: ReadOf<K>): void {
    // The writer has the same object: it is shared from here on.
    const shared = deepFreeze(object) as ReadOf<K>;
    const metadata = objectMeta(object);
    // The watch event arrived before the response: it has shown this state, a newer one or the deletion.
    if (this.#hasReached(metadata)) return;
    const key = formatKey(keyOf({ metadata }));
    const stored = this.#store.get(key);
    const shown = this.selection.shows(shared);
    if (shown === true) this.#pending.wrote(key, this.#transformed(shared), stored);
    else if (shown === false) this.#pending.left(key, shared, stored);
  }

  /** Records that a delete removed the object: from now on no read shows it. */
  noteDelete(key: ObjectKey, uid: string): void {
    const formatted = formatKey(key);
    this.#pending.deleted(formatted, uid, this.#store.get(formatted));
  }

  /** `stored` are the matching keys from the watch, `written` those of pending writes. */
  #read(stored: StoredKeys, written: StoredKeys, matches: (object: ReadOf<K>) => boolean): ReadOf<K>[] {
    const found: ReadOf<K>[] = [];
    const hasNoPending = this.#pending.size === 0;
    for (const key of stored.keys()) {
      const object = this.#store.get(key);
      const shown = frozen<K>(hasNoPending ? object : this.#pending.read(key, object));
      if (shown !== undefined && (shown === object || matches(shown))) found.push(shown);
    }
    if (written.size === 0) return found;
    for (const key of written.keys()) {
      if (stored.has(key)) continue;
      // The watch may have shown a newer state outside this namespace or index value.
      const before = this.#store.get(key);
      const shown = this.#pending.read(key, before);
      if (shown !== undefined && shown !== before) found.push(frozen<K>(shown) as ReadOf<K>);
    }
    return found;
  }

  #hasReached({ namespace, resourceVersion }: Partial<ReturnType<typeof objectMeta>>): boolean {
    const reached = this.#reached.get(this.namespaces === undefined ? undefined : namespace);
    return reached !== undefined && resourceVersion !== undefined && !isOlderVersion(reached, resourceVersion);
  }

  #receive(event: WatchEvent<K>, namespace: string | undefined, initial: boolean): void {
    const reached = this.#reached.get(namespace) ?? "";
    this.#reached.set(namespace, event.resourceVersion);
    switch (event.type) {
      case "replaced":
        this.#replace(event, namespace, {
          initial,
          isRestored: wentBack(reached, event.resourceVersion),
          listed: true,
        });
        return;
      case "added":
      case "modified":
        this.#put(this.#transformed(event.object), fromWatch);
        return;
      case "deleted":
        this.#remove(formatKey(keyOf({ metadata: objectMeta(event.object) })), event.object, event.resourceVersion);
        return;
      case "bookmark":
        return;
      default:
        event satisfies never;
    }
  }

  /** The event has all objects of `namespace`, or of all namespaces. */
  #replace(
    { objects, resourceVersion, mark }: Extract<WatchEvent<K>, { type: "replaced" }>,
    namespace: string | undefined,
    how: Arrival,
  ): void {
    const kept = objects.map((object) => this.#transformed(object));
    const listed = new Map(kept.map((object) => [formatKey(keyOf({ metadata: objectMeta(object) })), object]));
    const concerns = (key: string): boolean => namespace === undefined || key.startsWith(`${namespace}/`);
    const isRestored = how.isRestored || this.#hasOlder(listed);
    const written = new Map<string, ReadOf<K> | undefined>();
    for (const key of this.#pending.keys())
      if (concerns(key)) written.set(key, this.#pending.read(key, this.#store.get(key)));
    for (const key of [...this.#store.keys().keys()])
      if (concerns(key) && !listed.has(key) && this.#remove(key, undefined, resourceVersion)) written.delete(key);
    for (const [key, object] of listed) if (this.#put(object, { ...how, isRestored })) written.delete(key);
    this.#pending.listed({ version: resourceVersion, mark, has: (key) => listed.get(key), concerns });
    for (const [key, shown] of written) this.#checkWrite(key, shown);
  }

  /** Whether an object has gone back to an older version: a restored server may have reached our version again since. */
  #hasOlder(listed: ReadonlyMap<string, ReadOf<K>>): boolean {
    if (this.#store.size === 0) return false;
    for (const [key, object] of listed) {
      const stored = this.#store.get(key);
      if (stored === undefined || objectMeta(stored).uid !== objectMeta(object).uid) continue;
      if (isOlderVersion(objectMeta(object).resourceVersion ?? "", objectMeta(stored).resourceVersion ?? ""))
        return true;
    }
    return false;
  }

  /**
   * Reads have shown `shown`, the result of an own write. Where a list contradicts it, the write is lost, and what relies on it must run again: handlers
   * receive the write and its loss, because the watch would deliver neither.
   */
  #checkWrite(key: string, shown: ReadOf<K> | undefined): void {
    const stored = this.#store.get(key);
    if (this.#pending.read(key, stored) === shown) return;
    for (const [old, next] of [
      [stored, shown],
      [shown, stored],
    ]) {
      if (old !== undefined && next !== undefined) this.#change(key, { kind: "updated", old, new: next, listed: true });
      else if (next !== undefined) this.#change(key, { kind: "added", new: next, initial: false });
      else if (old !== undefined) this.#change(key, { kind: "deleted", old, tombstone: true });
    }
  }

  /** A list has arrived. */
  #settle(): void {
    if (this.synced) for (const handler of this.#handlers) handler.synced = true;
    for (const waiting of this.#waiting) {
      if (!waiting.holds()) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }

  /** Applies the selection's transform. */
  #transformed(object: ReadOf<K>): ReadOf<K> {
    const { transform } = this.selection;
    if (transform === undefined) return object;
    try {
      const smaller = transform(object) as ReadOf<K>;
      const { name, resourceVersion } = objectMeta(smaller);
      if (name === objectMeta(object).name && resourceVersion === objectMeta(object).resourceVersion) return smaller;
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot transform a ${this.kind.kind}: the result lacks the object's metadata`,
      );
    } catch (error) {
      const { namespace, name } = objectMeta(object);
      this.#log.error({ err: error, namespace, name }, "Transform failed, the whole object is cached");
      return object;
    }
  }

  /** Returns whether handlers received a change. */
  #put(object: ReadOf<K>, { initial, isRestored, listed }: Arrival): boolean {
    const metadata = objectMeta(object);
    const key = formatKey(keyOf({ metadata }));
    const old = this.#store.get(key);
    // A restored server uses the same versions again, for other states.
    if (old !== undefined && objectMeta(old).resourceVersion === metadata.resourceVersion && !isRestored) {
      if (this.#withoutManagedFields.size > 0) this.#store.set(key, object);
      return false;
    }
    // Another uid under the same name is another object: the delete event of the first was missed.
    if (old !== undefined && objectMeta(old).uid !== metadata.uid)
      this.#remove(key, undefined, metadata.resourceVersion ?? "");
    const before = this.#store.set(key, object);
    this.#pending.shown(key, object);
    this.#change(
      key,
      before === undefined
        ? { kind: "added", new: object, initial }
        : { kind: "updated", old: before, new: object, listed },
    );
    return true;
  }

  /** `last` is the object's final state; undefined if the delete event was missed. Returns whether handlers received a change. */
  #remove(key: string, last: ReadOf<K> | undefined, version: string): boolean {
    const stored = this.#store.delete(key);
    this.#pending.gone(key, version);
    const old = last ?? stored;
    if (stored === undefined || old === undefined) return false;
    this.#change(key, { kind: "deleted", old, tombstone: last === undefined });
    return true;
  }

  #change(key: string, change: Change<K>): void {
    this.#onStage?.("cache", { kind: this.kind.id, key, what: change.kind });
    for (const handler of this.#handlers) this.#deliver(handler, change);
  }

  #deliver(handler: Handler<K>, change: Change<K>): void {
    try {
      handler.handle(change);
    } catch (error) {
      const { namespace, name } = objectMeta(change.new ?? change.old);
      this.#log.error({ err: error, change: change.kind, namespace, name }, "Change handler failed");
    }
  }

  /** Replays synchronously in the timer callback, so that no period has passed without its objects delivered. */
  #startResync(handler: Handler<K>, periodMs: number): void {
    if (!(periodMs >= 1_000)) {
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot resync ${this.kind.kind} objects every ${periodMs} ms: the period must be at least 1s`,
      );
    }
    if (this.state.kind === "stopped") return;
    handler.resync = this.#clock.startTimer(periodMs * (0.9 + 0.2 * this.#random()), () => {
      this.#startResync(handler, periodMs);
      for (const object of this.#store.list())
        this.#deliver(handler, { kind: "updated", old: object, new: object, listed: false });
    });
  }

  #stopped(): OperatorError {
    return new OperatorError("STOPPED", `Cannot wait for the objects of ${this.kind.kind}: the informer has stopped`);
  }
}

/** Freezes lazily: the cost is one traversal per object that is read, and none for objects that are not. */
function frozen<K extends AnyKind>(object: ReadOf<K> | undefined): ReadOf<K> | undefined {
  return object === undefined ? undefined : (deepFreeze(object) as ReadOf<K>);
}
