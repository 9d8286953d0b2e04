import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf, type ObjectKey } from "@kubewright/core/identity";
import { deepFreeze } from "@kubewright/core/json";
import { type Logger, silentLogger } from "@kubewright/core/log";
import { type Client, objectMeta, type Trace } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { ListWatch, type ListWatchState, type WatchEvent } from "../watch/index.js";
import type { Change } from "./change.js";
import { type IndexFunction, Store } from "./store.js";
import { WriteFloors } from "./write-floors.js";

/** Which objects to keep a copy of, and how to get at them. */
export interface InformerOptions<K extends AnyKind> {
  readonly kind: K;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** Only objects of this namespace; all of them where it is left out. */
  readonly namespace?: string;
  /** Whether objects keep `metadata.managedFields`. @default false */
  readonly managedFields?: boolean;
  /** Whether the objects that are there come as the beginning of the watch, where the server can. @default true */
  readonly streaming?: boolean;
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

interface Handler<K extends AnyKind> {
  readonly handle: (change: Change<K>) => void;
  synced: boolean;
}

/**
 * A local copy of the objects of one kind, kept true by a watch.
 *
 * Handlers are given each change in order, in the turn in which it arrives; one that throws is reported and hurts no
 * other. What is read is frozen, on its first hand-out, and is never older than a write that was noted here.
 */
export class Informer<K extends AnyKind> {
  readonly kind: K;
  readonly namespace: string | undefined;
  readonly #store = new Store<K>();
  readonly #floors = new WriteFloors<K>();
  readonly #handlers = new Set<Handler<K>>();
  readonly #listWatch: ListWatch<K>;
  readonly #log: Logger;
  readonly #trace: Trace | undefined;
  #synced = false;
  #running: Promise<void> | undefined;
  readonly #waiting = new Set<{ resolve(): void; reject(error: Error): void }>();

  constructor(options: InformerOptions<K>) {
    this.kind = options.kind;
    this.namespace = options.namespace;
    this.#log = (options.logger ?? silentLogger).child({ kind: options.kind.id });
    this.#trace = options.trace;
    this.#listWatch = new ListWatch({ ...options, deliver: (event) => this.#receive(event) });
  }

  /** Keeps the copy true until `signal` aborts. Resolves once nothing of it is left. Can run once. */
  run(signal: AbortSignal): Promise<void> {
    if (this.#running !== undefined) {
      throw new OperatorError("STOPPED", `Cannot start the informer for ${this.kind.kind} again: it runs or has run`);
    }
    this.#running = this.#listWatch.run(signal).then(() => {
      for (const { reject } of this.#waiting) reject(this.#stopped());
      this.#waiting.clear();
    });
    return this.#running;
  }

  /** Whether the first list has arrived. */
  get synced(): boolean {
    return this.#synced;
  }

  /** Whether the watch is open and everything that it brought was handed on. */
  get idle(): boolean {
    return this.#synced && this.#listWatch.idle;
  }

  /** What the watch is doing, for health and the console. */
  get state(): ListWatchState {
    return this.#listWatch.state;
  }

  /** The last failure of list or watch; undefined while it goes well. */
  get lastError(): unknown {
    return this.#listWatch.lastError;
  }

  /** How many objects are kept. */
  get size(): number {
    return this.#store.size;
  }

  /** Resolves when the first list has arrived; rejects when the informer stops before. */
  whenSynced(): Promise<void> {
    if (this.#synced) return Promise.resolve();
    if (this.state.kind === "stopped") return Promise.reject(this.#stopped());
    return new Promise((resolve, reject) => this.#waiting.add({ resolve, reject }));
  }

  /** Adds a handler. When the copy is there already, the handler is given it at once, as initial additions. */
  addHandler(handle: (change: Change<K>) => void): HandlerRegistration {
    const handler: Handler<K> = { handle, synced: false };
    this.#handlers.add(handler);
    if (this.#synced) {
      for (const object of this.#store.list()) this.#give(handler, { kind: "added", new: object, initial: true });
      handler.synced = true;
    }
    return {
      get synced() {
        return handler.synced;
      },
      remove: () => void this.#handlers.delete(handler),
    };
  }

  /** Adds an index to search by. Throws when the name is taken. */
  addIndex(name: string, valuesOf: IndexFunction<K>): void {
    this.#store.addIndex(name, valuesOf);
  }

  /** The object, frozen; undefined when it is not there. */
  find(key: ObjectKey): ReadOf<K> | undefined {
    const text = formatKey(key);
    return frozen<K>(this.#floors.read(text, this.#store.get(text)));
  }

  /** All objects, frozen; only those of one namespace where it is given. */
  list(namespace?: string): ReadOf<K>[] {
    const inNamespace = (object: ReadOf<K>) =>
      namespace === undefined || (objectMeta(object).namespace ?? "") === namespace;
    return this.#read(this.#store.list(namespace), inNamespace);
  }

  /** The objects that an index holds under `value`, frozen. Objects written but not yet seen by the watch are found by `matches`. */
  byIndex(name: string, value: string, matches: (object: ReadOf<K>) => boolean): ReadOf<K>[] {
    return this.#read(this.#store.byIndex(name, value), matches);
  }

  /** Takes the server's answer to a write of ours: from now on no read shows an older state of this object. */
  noteWrite(object: ReadOf<K>): void {
    const key = formatKey(keyOf({ metadata: objectMeta(object) }));
    // The writer holds this very object too: from here on it is shared.
    this.#floors.wrote(deepFreeze(object) as ReadOf<K>, this.#store.get(key));
  }

  /** Takes that a delete of ours removed the object: from now on no read shows it. */
  noteDelete(key: ObjectKey, uid: string): void {
    const text = formatKey(key);
    this.#floors.deleted(text, uid, this.#store.get(text));
  }

  #read(stored: Iterable<ReadOf<K>>, matches: (object: ReadOf<K>) => boolean): ReadOf<K>[] {
    const found: ReadOf<K>[] = [];
    const seen = new Set<string>();
    for (const object of stored) {
      const key = formatKey(keyOf({ metadata: objectMeta(object) }));
      if (this.#floors.size > 0) seen.add(key);
      const shown = frozen<K>(this.#floors.read(key, object));
      if (shown === object || (shown !== undefined && matches(shown))) found.push(shown as ReadOf<K>);
    }
    for (const [key, object] of this.#floors.written()) {
      if (seen.has(key) || !matches(object)) continue;
      const shown = frozen<K>(this.#floors.read(key, this.#store.get(key)));
      if (shown === object) found.push(object);
    }
    return found;
  }

  #receive(event: WatchEvent<K>): void {
    switch (event.type) {
      case "replaced":
        this.#replace(event.objects, event.resourceVersion);
        return;
      case "added":
      case "modified":
        this.#put(event.object, false);
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

  #replace(objects: readonly ReadOf<K>[], resourceVersion: string): void {
    const listed = new Map(objects.map((object) => [formatKey(keyOf({ metadata: objectMeta(object) })), object]));
    for (const key of [...this.#store.keys()]) if (!listed.has(key)) this.#remove(key, undefined, resourceVersion);
    for (const object of objects) this.#put(object, !this.#synced);
    this.#floors.listed(resourceVersion, (key) => listed.get(key));
    for (const handler of this.#handlers) handler.synced = true;
    if (this.#synced) return;
    this.#synced = true;
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #put(object: ReadOf<K>, initial: boolean): void {
    const metadata = objectMeta(object);
    const key = formatKey(keyOf({ metadata }));
    const old = this.#store.get(key);
    if (old !== undefined && objectMeta(old).resourceVersion === metadata.resourceVersion) return;
    // Another uid under the same name is another object: that the first one went was missed.
    if (old !== undefined && objectMeta(old).uid !== metadata.uid)
      this.#remove(key, undefined, metadata.resourceVersion ?? "");
    const before = this.#store.set(object);
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
    for (const handler of [...this.#handlers]) this.#give(handler, change);
  }

  #give(handler: Handler<K>, change: Change<K>): void {
    try {
      handler.handle(change);
    } catch (error) {
      this.#log.error({ err: error, change: change.kind }, "Handler of a change failed");
    }
  }

  #stopped(): OperatorError {
    return new OperatorError("STOPPED", `Cannot wait for the objects of ${this.kind.kind}: the informer has stopped`);
  }
}

/** Freezing costs a walk once per object that is read, and nothing afterwards; objects that nobody reads stay as they are. */
function frozen<K extends AnyKind>(object: ReadOf<K> | undefined): ReadOf<K> | undefined {
  return object === undefined ? undefined : (deepFreeze(object) as ReadOf<K>);
}
