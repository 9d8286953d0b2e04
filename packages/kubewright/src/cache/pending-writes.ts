import { isOlderVersion, objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { type IndexFunction, Store, type StoredKeys } from "./store.js";

type PendingWrite<K extends AnyKind> = (
  | { readonly kind: "written"; readonly object: ReadOf<K>; readonly version: string }
  /**
   * `uid` identifies the deleted object; another object may exist under its name. `version` is its last known resourceVersion. With `left` the
   * object was not deleted: the write of that version moved it out of the selection, and it may come back.
   */
  | { readonly kind: "deleted"; readonly uid: string; readonly version: string; readonly left: boolean }
) & { readonly at: number };

/** The result of a list. */
interface ListedObjects<K extends AnyKind> {
  readonly version: string;
  readonly mark: number | undefined;
  has(key: string): ReadOf<K> | undefined;
  concerns(key: string): boolean;
}

/**
 * Writes whose watch event has not arrived yet. They are the lower bound of what a read shows.
 *
 * An entry is removed when the watch reaches its resourceVersion, so there are only as many entries as writes in flight.
 */
export class PendingWrites<K extends AnyKind> {
  readonly #pending = new Map<string, PendingWrite<K>>();
  /** The written objects, with the same indexes as the objects from the watch. */
  readonly #written = new Store<K>();
  /** Written objects not yet in `#written`: the watch reaches most of them before a lookup needs the index. */
  readonly #unsorted = new Map<string, ReadOf<K>>();

  /** How many marks were taken. */
  #marks = 0;

  /** Marks a moment: a consistent list that begins now shows every write recorded before. */
  mark(): number {
    this.#marks += 1;
    return this.#marks;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** The keys of objects with a pending write. */
  keys(): IterableIterator<string> {
    return this.#pending.keys();
  }

  /** Adds an index. */
  addIndex(name: string, valuesOf: IndexFunction<K>): void {
    this.#written.addIndex(name, valuesOf);
  }

  /** Records the response of a write; `stored` is the latest state from the watch. */
  wrote(key: string, object: ReadOf<K>, stored: ReadOf<K> | undefined): void {
    const version = versionOf(object);
    if (stored !== undefined && !isOlderVersion(versionOf(stored), version)) return;
    const pending = this.#pending.get(key);
    if (pending?.kind === "written" && !isOlderVersion(pending.version, version)) return;
    this.#pending.set(key, { kind: "written", object, version, at: this.#marks });
    this.#unsorted.set(key, object);
  }

  /** Records a deletion. */
  deleted(key: string, uid: string, stored: ReadOf<K> | undefined): void {
    const pending = this.#pending.get(key);
    if (stored === undefined && pending === undefined) return;
    const known = pending?.kind === "written" ? pending.object : stored;
    const version = known !== undefined && objectMeta(known).uid === uid ? versionOf(known) : (pending?.version ?? "");
    this.#pending.set(key, { kind: "deleted", uid, version, left: false, at: this.#marks });
    this.#forget(key);
  }

  /** Records that a write moved an object out of the selection; `object` is the response. */
  left(key: string, object: ReadOf<K>, stored: ReadOf<K> | undefined): void {
    const { uid = "", resourceVersion: version = "" } = objectMeta(object);
    if (stored === undefined && this.#pending.get(key) === undefined) return;
    if (stored !== undefined && !isOlderVersion(versionOf(stored), version)) return;
    this.#pending.set(key, { kind: "deleted", uid, version, left: true, at: this.#marks });
    this.#forget(key);
  }

  /** Returns what a read shows, given the latest state from the watch. */
  read(key: string, stored: ReadOf<K> | undefined): ReadOf<K> | undefined {
    const pending = this.#pending.size === 0 ? undefined : this.#pending.get(key);
    if (pending === undefined) return stored;
    if (pending.kind === "written") {
      const storedVersion = stored === undefined ? "" : versionOf(stored);
      return isOlderVersion(storedVersion, pending.version) ? pending.object : stored;
    }
    return stored !== undefined && hides(pending, stored) ? undefined : stored;
  }

  /** Returns the keys of written objects that the watch may not have shown yet, of all namespaces or of one. */
  written(namespace?: string): StoredKeys {
    this.#sort();
    return this.#written.keys(namespace);
  }

  /** As `written`, by an index value. */
  writtenUnder(index: string, value: string): StoredKeys {
    this.#sort();
    return this.#written.keysUnder(index, value);
  }

  /** The watch delivered an object. */
  shown(key: string, object: ReadOf<K>): void {
    if (this.#pending.size === 0) return;
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    const reached =
      pending.kind === "written" ? !isOlderVersion(versionOf(object), pending.version) : !hides(pending, object);
    if (reached) this.#remove(key);
  }

  /** The watch delivered the deletion of an object at `version`. */
  gone(key: string, version: string): void {
    const pending = this.#pending.get(key);
    // A deletion older than the written version is that of an earlier object of the same name.
    if (pending === undefined || isOlderVersion(version, pending.version)) return;
    this.#remove(key);
  }

  /** Removes all entries. */
  clear(): void {
    for (const key of [...this.#pending.keys()]) this.#remove(key);
  }

  /**
   * A list at `version` delivered all objects of the keys that it `concerns`. `mark` is that of a consistent list: it shows every write before, and what it
   * shows instead is newer, or the server was restored from a backup without the write.
   */
  listed({ version, mark = 0, has, concerns }: ListedObjects<K>): void {
    for (const [key, pending] of [...this.#pending].filter(([key]) => concerns(key))) {
      const object = has(key);
      if (pending.at < mark) this.#remove(key);
      else if (object === undefined) this.gone(key, version);
      else this.shown(key, object);
    }
  }

  #remove(key: string): void {
    this.#pending.delete(key);
    this.#forget(key);
  }

  #forget(key: string): void {
    this.#unsorted.delete(key);
    this.#written.delete(key);
  }

  #sort(): void {
    if (this.#unsorted.size === 0) return;
    for (const [key, object] of this.#unsorted) this.#written.set(key, object);
    this.#unsorted.clear();
  }
}

function hides(pending: Extract<PendingWrite<AnyKind>, { kind: "deleted" }>, object: unknown): boolean {
  const { uid, resourceVersion = "" } = objectMeta(object);
  return uid === pending.uid && (!pending.left || isOlderVersion(resourceVersion, pending.version));
}

function versionOf(object: unknown): string {
  return objectMeta(object).resourceVersion ?? "";
}
