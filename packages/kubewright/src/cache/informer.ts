import type { Clock, Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf, type ObjectKey } from "@kubewright/core/identity";
import { deepFreeze } from "@kubewright/core/json";
import { type Logger, silentLogger } from "@kubewright/core/log";
import { type Client, isOlderVersion, objectMeta, type Trace } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { ListWatch, type ListWatchState, type WatchEvent } from "../watch/index.js";
import { approximateBytes } from "./approximate-bytes.js";
import type { Change } from "./change.js";
import type { ObjectIndex } from "./object-index.js";
import { everything, type Selection } from "./selection.js";
import { type IndexFunction, Store, type StoredKeys } from "./store.js";
import { WriteFloors } from "./write-floors.js";

/** Which objects to keep a copy of, and how to get at them. */
export interface InformerOptions<K extends AnyKind> {
  readonly kind: K;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** Only objects of these namespaces; all of them where it is left out. */
  readonly namespaces?: readonly string[];
  /** Which objects of the kind, and what of them. @default everything */
  readonly selection?: Selection;
  /** Whether objects keep `metadata.managedFields`. @default false */
  readonly managedFields?: boolean;
  /** Whether the objects that are there come as the beginning of the watch, where the server can. @default true */
  readonly streaming?: boolean;
  /** Is told of each failed list or watch, before the pause that follows. Must not throw. */
  readonly onFailure?: (error: unknown) => void;
  readonly logger?: Logger;
  readonly trace?: Trace;
}

/** A handler that was added to an informer. */
export interface HandlerRegistration {
  /** Whether the handler has been given everything that was there at the beginning. */
  readonly synced: boolean;
  /** The handler is given nothing more. */
  remove(): void;
}

/** What a handler wants beside the changes. */
export interface HandlerOptions {
  /**
   * Gives the handler everything that is kept again and again, each object as an update from itself to itself: no request is made. At least
   * 1,000; each period is up to a tenth shorter or longer, so that programs that began together do not stay together. @default never
   */
  readonly resyncMs?: number;
}

interface Handler<K extends AnyKind> {
  readonly handle: (change: Change<K>) => void;
  synced: boolean;
  resync: Timer | undefined;
}

/**
 * A local copy of the objects of one kind, kept true by a watch.
 *
 * Handlers are given each change in order, in the turn in which it arrives; one that throws is reported and hurts no
 * other. What is read is frozen, on its first hand-out, and is never older than a write that was noted here.
 */
export class Informer<K extends AnyKind> {
  readonly kind: K;
  readonly namespaces: readonly string[] | undefined;
  readonly selection: Selection;
  readonly #store = new Store<K>();
  readonly #floors = new WriteFloors<K>();
  /** How far the watch of each namespace has come, or the one of all of them. */
  readonly #reached = new Map<string | undefined, string>();
  /** Another list with each handler that comes or goes: changes are given to those who were there when it came. */
  #handlers: readonly Handler<K>[] = [];
  /** One per namespace, or one for all of them. */
  readonly #listWatches: readonly ListWatch<K>[];
  /** How many of them have not read everything yet. */
  #unread: number;
  readonly #log: Logger;
  readonly #trace: Trace | undefined;
  readonly #clock: Clock;
  readonly #random: () => number;
  #running: Promise<void> | undefined;
  readonly #waiting = new Set<{ resolve(): void; reject(error: Error): void }>();

  constructor(options: InformerOptions<K>) {
    this.kind = options.kind;
    this.namespaces = options.namespaces;
    this.selection = options.selection ?? everything;
    this.#log = (options.logger ?? silentLogger).child({ kind: options.kind.id });
    this.#trace = options.trace;
    this.#clock = options.clock;
    this.#random = options.random;
    const { labels, fields } = this.selection;
    const { selection: _, namespaces, ...common } = options;
    const selectors = { ...(labels !== undefined && { labels }), ...(fields !== undefined && { fields }) };
    this.#listWatches = (namespaces ?? [undefined]).map((namespace) => {
      let read = false;
      const deliver = (event: WatchEvent<K>): void => {
        this.#receive(event, namespace, !read);
        if (event.type !== "replaced" || read) return;
        read = true;
        this.#wasRead();
      };
      return new ListWatch({ ...common, ...selectors, ...(namespace !== undefined && { namespace }), deliver });
    });
    this.#unread = this.#listWatches.length;
  }

  /** Keeps the copy true until `signal` aborts. Resolves once nothing of it is left. Can run once. */
  run(signal: AbortSignal): Promise<void> {
    if (this.#running !== undefined) {
      throw new OperatorError("STOPPED", `Cannot start the informer for ${this.kind.kind} again: it runs or has run`);
    }
    this.#running = Promise.all(this.#listWatches.map((listWatch) => listWatch.run(signal))).then(() => {
      for (const { reject } of this.#waiting) reject(this.#stopped());
      this.#waiting.clear();
      for (const handler of this.#handlers) handler.resync?.cancel();
    });
    return this.#running;
  }

  /** Resolves once nothing of it is left; at once when it never ran. */
  get ended(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Whether the first list has arrived. */
  get synced(): boolean {
    return this.#unread === 0;
  }

  /** Whether the watch is open and everything that it brought was handed on. */
  get idle(): boolean {
    return this.synced && this.#listWatches.every((listWatch) => listWatch.idle);
  }

  /** What the watch is doing, for health and the console; of several, one that fails or is not through. */
  get state(): ListWatchState {
    const states = this.#listWatches.map((listWatch) => listWatch.state);
    const worst = states.find(({ kind }) => kind === "backoff") ?? states.find(({ kind }) => kind !== "watch");
    return worst ?? states[0] ?? { kind: "stopped" };
  }

  /** The last failure of list or watch; undefined while it goes well. */
  get lastError(): unknown {
    return this.#listWatches.map(({ lastError }) => lastError).find((error) => error !== undefined);
  }

  /** About how many bytes the objects take as JSON, told from a sample of them. Takes time: for metrics, not for each run. */
  get approximateBytes(): number {
    return approximateBytes(this.#store.list(), this.#store.size);
  }

  /** Whether it shows the objects of a namespace, "" for those of all. */
  covers(namespace: string): boolean {
    return this.namespaces === undefined || this.namespaces.includes(namespace);
  }

  /** How many objects are kept. */
  get size(): number {
    return this.#store.size;
  }

  /** Resolves when the first list has arrived; rejects when the informer stops before. */
  whenSynced(): Promise<void> {
    if (this.synced) return Promise.resolve();
    if (this.state.kind === "stopped") return Promise.reject(this.#stopped());
    return new Promise((resolve, reject) => this.#waiting.add({ resolve, reject }));
  }

  /** Adds a handler. What of the copy is there already, the handler is given at once, as initial additions. */
  addHandler(handle: (change: Change<K>) => void, { resyncMs }: HandlerOptions = {}): HandlerRegistration {
    const handler: Handler<K> = { handle, synced: false, resync: undefined };
    this.#handlers = [...this.#handlers, handler];
    for (const object of this.#store.list()) this.#give(handler, { kind: "added", new: object, initial: true });
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

  /** Does not wait any longer where it waits after a failure: what it failed for has changed. */
  retryNow(): void {
    for (const listWatch of this.#listWatches) listWatch.retryNow();
  }

  /** The server does not serve the kind any more, so that there are no objects: what is kept goes, as missed deletes. */
  vanished(): void {
    for (const key of [...this.#store.keys().keys()]) this.#remove(key, undefined, "");
    this.#floors.clear();
  }

  /** Adds an index to search by. Throws when the name is taken. */
  addIndex(name: string, valuesOf: IndexFunction<K>): void {
    this.#store.addIndex(name, valuesOf);
    this.#floors.addIndex(name, valuesOf);
  }

  /** Adds an index of a selection unless it is there. One whose function fails for an object does not find it, which is reported. */
  ensureIndex({ id, valuesOf }: ObjectIndex): void {
    if (this.#store.hasIndex(id)) return;
    const failed = (err: unknown, object: ReadOf<AnyKind>): void =>
      this.#log.error({ err, name: objectMeta(object).name }, "Index of an object failed, it is not found by it");
    this.addIndex(id, (object) => valuesOf(object as ReadOf<AnyKind>, failed));
  }

  /** The object, frozen; undefined when it is not there. */
  find(key: ObjectKey): ReadOf<K> | undefined {
    return this.byKey(formatKey(key));
  }

  /** The same by the key's text. */
  byKey(key: string): ReadOf<K> | undefined {
    return frozen<K>(this.#floors.read(key, this.#store.get(key)));
  }

  /** All objects, frozen; only those of one namespace where it is given. */
  list(namespace?: string): ReadOf<K>[] {
    return this.#read(this.#store.keys(namespace), this.#floors.written(namespace), () => true);
  }

  /** The objects that an index holds under `value`, frozen. Objects written but not yet seen by the watch are found by `matches`. */
  byIndex(name: string, value: string, matches: (object: ReadOf<K>) => boolean): ReadOf<K>[] {
    return this.#read(this.#store.keysUnder(name, value), this.#floors.writtenUnder(name, value), matches);
  }

  /** Takes the server's answer to a write of ours: from now on no read shows an older state of this object. */
  noteWrite(object: ReadOf<K>): void {
    // The writer holds this very object too: from here on it is shared.
    const shared = deepFreeze(object) as ReadOf<K>;
    const metadata = objectMeta(object);
    // The watch was faster than the answer: it has shown this state, or a newer one, or that the object went.
    if (this.#hasReached(metadata)) return;
    const key = formatKey(keyOf({ metadata }));
    const stored = this.#store.get(key);
    const shown = this.selection.shows(shared);
    if (shown === true) this.#floors.wrote(key, this.#kept(shared), stored);
    else if (shown === false) this.#floors.left(key, shared, stored);
  }

  /** Takes that a delete of ours removed the object: from now on no read shows it. */
  noteDelete(key: ObjectKey, uid: string): void {
    const text = formatKey(key);
    this.#floors.deleted(text, uid, this.#store.get(text));
  }

  /** `stored` and `written` are the keys of what the watch showed and of what was written, of the same place. */
  #read(stored: StoredKeys, written: StoredKeys, matches: (object: ReadOf<K>) => boolean): ReadOf<K>[] {
    const found: ReadOf<K>[] = [];
    const isLevel = this.#floors.size === 0;
    for (const key of stored.keys()) {
      const object = this.#store.get(key);
      const shown = frozen<K>(isLevel ? object : this.#floors.read(key, object));
      if (shown !== undefined && (shown === object || matches(shown))) found.push(shown);
    }
    if (written.size === 0) return found;
    for (const key of written.keys()) {
      if (stored.has(key)) continue;
      // Elsewhere the watch may have shown something newer.
      const before = this.#store.get(key);
      const shown = this.#floors.read(key, before);
      if (shown !== undefined && shown !== before) found.push(frozen<K>(shown) as ReadOf<K>);
    }
    return found;
  }

  #hasReached({ namespace, resourceVersion }: Partial<ReturnType<typeof objectMeta>>): boolean {
    const reached = this.#reached.get(this.namespaces === undefined ? undefined : namespace);
    return reached !== undefined && resourceVersion !== undefined && !isOlderVersion(reached, resourceVersion);
  }

  #receive(event: WatchEvent<K>, namespace: string | undefined, initial: boolean): void {
    this.#reached.set(namespace, event.resourceVersion);
    switch (event.type) {
      case "replaced":
        this.#replace(event, namespace, initial);
        return;
      case "added":
      case "modified":
        this.#put(this.#kept(event.object), false);
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

  /** `event` shows everything that there is in `namespace`, or everywhere. */
  #replace(
    { objects, resourceVersion }: Extract<WatchEvent<K>, { type: "replaced" }>,
    namespace: string | undefined,
    initial: boolean,
  ): void {
    const kept = objects.map((object) => this.#kept(object));
    const listed = new Map(kept.map((object) => [formatKey(keyOf({ metadata: objectMeta(object) })), object]));
    const concerns = (key: string): boolean => namespace === undefined || key.startsWith(`${namespace}/`);
    for (const key of [...this.#store.keys().keys()])
      if (concerns(key) && !listed.has(key)) this.#remove(key, undefined, resourceVersion);
    for (const object of kept) this.#put(object, initial);
    this.#floors.listed(resourceVersion, (key) => listed.get(key), concerns);
  }

  #wasRead(): void {
    this.#unread -= 1;
    if (!this.synced) return;
    for (const handler of this.#handlers) handler.synced = true;
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** What is kept of an object. */
  #kept(object: ReadOf<K>): ReadOf<K> {
    const { transform } = this.selection;
    if (transform === undefined) return object;
    try {
      const smaller = transform(object) as ReadOf<K>;
      const { name, resourceVersion } = objectMeta(smaller);
      if (name === objectMeta(object).name && resourceVersion === objectMeta(object).resourceVersion) return smaller;
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot keep what is left of a ${this.kind.kind}: its metadata is gone`,
      );
    } catch (error) {
      this.#log.error({ err: error }, "Transform of an object failed, it is kept whole");
      return object;
    }
  }

  #put(object: ReadOf<K>, initial: boolean): void {
    const metadata = objectMeta(object);
    const key = formatKey(keyOf({ metadata }));
    const old = this.#store.get(key);
    if (old !== undefined && objectMeta(old).resourceVersion === metadata.resourceVersion) return;
    // Another uid under the same name is another object: that the first one went was missed.
    if (old !== undefined && objectMeta(old).uid !== metadata.uid)
      this.#remove(key, undefined, metadata.resourceVersion ?? "");
    const before = this.#store.set(key, object);
    this.#floors.shown(key, object);
    this.#change(
      key,
      before === undefined ? { kind: "added", new: object, initial } : { kind: "updated", old: before, new: object },
    );
  }

  /** `last` is the object's final state; undefined when the delete itself was missed. */
  #remove(key: string, last: ReadOf<K> | undefined, version: string): void {
    const stored = this.#store.delete(key);
    this.#floors.gone(key, version);
    const old = last ?? stored;
    if (stored !== undefined && old !== undefined)
      this.#change(key, { kind: "deleted", old, tombstone: last === undefined });
  }

  #change(key: string, change: Change<K>): void {
    this.#trace?.("cache", { kind: this.kind.id, key, what: change.kind });
    for (const handler of this.#handlers) this.#give(handler, change);
  }

  #give(handler: Handler<K>, change: Change<K>): void {
    try {
      handler.handle(change);
    } catch (error) {
      this.#log.error({ err: error, change: change.kind }, "Handler of a change failed");
    }
  }

  /** Acts in the timer's own turn: at no moment is a period over and its objects not given. */
  #startResync(handler: Handler<K>, periodMs: number): void {
    if (!(periodMs >= 1_000)) {
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot replay ${this.kind.kind} objects every ${periodMs} ms: the period must be at least 1s`,
      );
    }
    if (this.state.kind === "stopped") return;
    handler.resync = this.#clock.startTimer(periodMs * (0.9 + 0.2 * this.#random()), () => {
      this.#startResync(handler, periodMs);
      for (const object of this.#store.list()) this.#give(handler, { kind: "updated", old: object, new: object });
    });
  }

  #stopped(): OperatorError {
    return new OperatorError("STOPPED", `Cannot wait for the objects of ${this.kind.kind}: the informer has stopped`);
  }
}

/** Freezing costs a walk once per object that is read, and nothing afterwards; objects that nobody reads stay as they are. */
function frozen<K extends AnyKind>(object: ReadOf<K> | undefined): ReadOf<K> | undefined {
  return object === undefined ? undefined : (deepFreeze(object) as ReadOf<K>);
}
