import { isOlderVersion, objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { type IndexFunction, Store, type StoredKeys } from "./store.js";

type Floor<K extends AnyKind> =
  | { readonly kind: "written"; readonly object: ReadOf<K>; readonly version: string }
  /**
   * `uid` names what was deleted; another object may be there under its name. `version` is the last one known of it. With `left` it was
   * not deleted, but left the selection by the write of that version, and may come back later.
   */
  | { readonly kind: "deleted"; readonly uid: string; readonly version: string; readonly left: boolean };

/**
 * What was written and has not come back by the watch yet: no read shows less than this.
 *
 * A floor goes as soon as the watch has reached it, so there are only as many as there are writes under way.
 */
export class WriteFloors<K extends AnyKind> {
  readonly #floors = new Map<string, Floor<K>>();
  /** The objects of those that were written, found as those that the watch has shown are. */
  readonly #written = new Store<K>();
  /** Those that are not there yet: most have been reached by the watch before anyone searches. */
  readonly #unsorted = new Map<string, ReadOf<K>>();

  get size(): number {
    return this.#floors.size;
  }

  /** Adds an index to search by. */
  addIndex(name: string, valuesOf: IndexFunction<K>): void {
    this.#written.addIndex(name, valuesOf);
  }

  /** Takes the answer to a write; `stored` is what the watch has shown so far. */
  wrote(key: string, object: ReadOf<K>, stored: ReadOf<K> | undefined): void {
    const version = versionOf(object);
    if (stored !== undefined && !isOlderVersion(versionOf(stored), version)) return;
    const floor = this.#floors.get(key);
    if (floor?.kind === "written" && !isOlderVersion(floor.version, version)) return;
    this.#floors.set(key, { kind: "written", object, version });
    this.#unsorted.set(key, object);
  }

  /** Takes that an object is gone. */
  deleted(key: string, uid: string, stored: ReadOf<K> | undefined): void {
    const floor = this.#floors.get(key);
    if (stored === undefined && floor === undefined) return;
    const known = floor?.kind === "written" ? floor.object : stored;
    const version = known !== undefined && objectMeta(known).uid === uid ? versionOf(known) : (floor?.version ?? "");
    this.#floors.set(key, { kind: "deleted", uid, version, left: false });
    this.#forget(key);
  }

  /** Takes that a write, whose answer `object` is, took an object out of what is selected. */
  left(key: string, object: ReadOf<K>, stored: ReadOf<K> | undefined): void {
    const { uid = "", resourceVersion: version = "" } = objectMeta(object);
    if (stored === undefined && this.#floors.get(key) === undefined) return;
    if (stored !== undefined && !isOlderVersion(versionOf(stored), version)) return;
    this.#floors.set(key, { kind: "deleted", uid, version, left: true });
    this.#forget(key);
  }

  /** What a read shows, given what the watch has shown. */
  read(key: string, stored: ReadOf<K> | undefined): ReadOf<K> | undefined {
    const floor = this.#floors.size === 0 ? undefined : this.#floors.get(key);
    if (floor === undefined) return stored;
    if (floor.kind === "written") {
      const storedVersion = stored === undefined ? "" : versionOf(stored);
      return isOlderVersion(storedVersion, floor.version) ? floor.object : stored;
    }
    return stored !== undefined && hides(floor, stored) ? undefined : stored;
  }

  /** The keys of what a read may show although the watch has not shown it yet; of one namespace where it is given. */
  written(namespace?: string): StoredKeys {
    this.#sort();
    return this.#written.keys(namespace);
  }

  /** The same, found by an index. */
  writtenUnder(index: string, value: string): StoredKeys {
    this.#sort();
    return this.#written.keysUnder(index, value);
  }

  /** The watch showed an object. */
  shown(key: string, object: ReadOf<K>): void {
    if (this.#floors.size === 0) return;
    const floor = this.#floors.get(key);
    if (floor === undefined) return;
    const reached =
      floor.kind === "written" ? !isOlderVersion(versionOf(object), floor.version) : !hides(floor, object);
    if (reached) this.#remove(key);
  }

  /** The watch showed that an object is gone since `version`. */
  gone(key: string, version: string): void {
    const floor = this.#floors.get(key);
    // What went before our object was last there is an earlier one of its name.
    if (floor === undefined || isOlderVersion(version, floor.version)) return;
    this.#remove(key);
  }

  /** Nothing of what was written is there any more. */
  clear(): void {
    for (const key of [...this.#floors.keys()]) this.#remove(key);
  }

  /** A list of `version` showed everything that there is of the keys that it concerns. */
  listed(version: string, has: (key: string) => ReadOf<K> | undefined, concerns: (key: string) => boolean): void {
    for (const key of [...this.#floors.keys()].filter(concerns)) {
      const object = has(key);
      if (object === undefined) this.gone(key, version);
      else this.shown(key, object);
    }
  }

  #remove(key: string): void {
    this.#floors.delete(key);
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

function hides(floor: Extract<Floor<AnyKind>, { kind: "deleted" }>, object: unknown): boolean {
  const { uid, resourceVersion = "" } = objectMeta(object);
  return uid === floor.uid && (!floor.left || isOlderVersion(resourceVersion, floor.version));
}

function versionOf(object: unknown): string {
  return objectMeta(object).resourceVersion ?? "";
}
